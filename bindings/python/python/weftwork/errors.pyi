from typing import Any, Dict, List, Optional, Sequence

class WeftworkError(Exception): ...

class InvalidMessage(WeftworkError, ValueError):
    index: Optional[int]
    path: str
    reason: str

class InvalidInput(WeftworkError, ValueError): ...
class InvalidOption(WeftworkError, ValueError): ...

class InvalidHistory(WeftworkError, ValueError):
    node: Optional[str]

class NothingToSend(WeftworkError, ValueError): ...

class DoesNotFit(WeftworkError):
    kind: str
    tokens: int
    budget: Optional[Dict[str, int]]
    largest: Sequence[Dict[str, Any]]

class NeedsRepair(WeftworkError, ValueError):
    node: Optional[str]
    kind: str

class ProviderError(WeftworkError):
    kind: str
    status: Optional[int]
    code: Optional[str]

class InvalidReply(WeftworkError, ValueError): ...
class InternalError(WeftworkError): ...

def of(name: str, message: str, facts: Dict[str, Any]) -> WeftworkError: ...
