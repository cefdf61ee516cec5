from typing import Any, Dict, Iterable, List, Literal, Mapping, Optional, Sequence, TypedDict, TypeVar, Union, overload

from typing_extensions import NotRequired, Unpack

from .errors import DoesNotFit as DoesNotFit
from .errors import InternalError as InternalError
from .errors import InvalidHistory as InvalidHistory
from .errors import InvalidInput as InvalidInput
from .errors import InvalidMessage as InvalidMessage
from .errors import InvalidOption as InvalidOption
from .errors import InvalidReply as InvalidReply
from .errors import NeedsRepair as NeedsRepair
from .errors import NothingToSend as NothingToSend
from .errors import ProviderError as ProviderError
from .errors import WeftworkError as WeftworkError

__version__: str
__all__: List[str]

Shape = Literal["openai", "responses", "anthropic", "ai-sdk"]
Dialect = Literal["openai", "responses", "anthropic", "gemini", "ollama", "completions", "ai-sdk", "text", "messages"]
FileFormat = Literal["weft", "weft-jsonl", "openai-jsonl", "markdown"]

M = TypeVar("M")
_Bytes = bytes

class Sampling(TypedDict, total=False):
    temperature: float
    topP: float
    topK: int
    stop: List[str]
    seed: int

class _Policy(TypedDict, total=False):
    preset: Optional[Literal["weft", "deepchat", "hsafa", "superdesign", "netdata", "aspen"]]
    strategy: Optional[Literal["truncateMiddle", "rollingWindow", "stopAtLimit", "dropOldest", "stickyWindow"]]
    unit: Optional[Literal["turn", "message"]]
    min_recent: Optional[int]
    low_water: Optional[float]
    window: Optional[int]
    context_length: Optional[int]
    max_tokens: Optional[int]
    counter: Optional[Literal["auto", "o200k", "cl100k", "chars4", "tokenx"]]
    reasoning: Optional[Literal["keep", "concat", "drop"]]
    tool_policy: Optional[Literal["auto", "cached", "all-on", "all-off", "manual"]]
    summary: Optional[Literal["system", "message"]]
    cache: Optional[Literal["off", "advance", "freeze"]]
    marker: Optional[bool]
    merge: Optional[bool]
    strict: Optional[bool]
    system: Optional[str]
    tools: Optional[Sequence[Mapping[str, Any]]]
    input: Optional[str]

class FitOptions(_Policy, total=False):
    shape: Optional[Shape]

class AskOptions(_Policy, total=False):
    model: Optional[str]
    max_input: Optional[int]
    form: Optional[Literal["dialogue", "buffer", "timeline"]]
    errors: Optional[Literal["exclude", "note"]]
    annotations: Optional[bool]
    layout: Optional[Literal["seed", "cacheStable"]]
    history: Optional[Literal["system", "messages"]]
    sampling: Optional[Sampling]
    head: Optional[str]
    viewer: Optional[str]
    input_node: Optional[str]
    buffer: Optional[str]
    previous: Optional[str]
    now: Optional[str]

class Budget(TypedDict):
    contextLength: int
    reserve: int
    system: int
    tools: int
    input: int
    markers: int
    available: int
    history: int

class Item(TypedDict):
    decision: Literal["included", "dropped", "shortened", "repaired"]
    reason: str
    tokens: int
    node: NotRequired[str]
    to: NotRequired[str]
    nodes: NotRequired[int]
    message: NotRequired[int]
    first: NotRequired[int]
    last: NotRequired[int]

class Report(TypedDict):
    form: str
    dialect: str
    strategy: str
    truncated: bool
    counter: Dict[str, str]
    budget: Budget
    items: List[Item]
    repairs: List[Dict[str, Any]]
    cut: NotRequired[Dict[str, Any]]
    cache: Dict[str, Any]
    warnings: List[Dict[str, str]]
    hash: str

class Finding(TypedDict):
    path: str
    rule: str
    severity: Literal["error", "warning"]
    message: str
    fix: str

class Count(TypedDict):
    counter: str
    kind: Literal["estimated", "counted", "reported"]
    messages: List[Dict[str, Any]]
    total: int

class Usage(TypedDict):
    input: int
    output: int
    cacheRead: int
    cacheWrite: int

class ToolCall(TypedDict):
    id: str
    name: str
    args: Any
    state: Literal["complete", "unfinished", "provider"]

class Reply(TypedDict):
    text: str
    parts: List[Dict[str, Any]]
    calls: List[ToolCall]
    stop: Literal["cut", "end", "maxTokens", "toolCalls", "stopText", "refused", "paused", "other"]
    stopReason: Optional[str]
    usage: Optional[Usage]
    rawUsage: Any
    model: Optional[str]
    id: Optional[str]
    ignored: List[str]

class Fitted(List[M]):
    kept: List[Optional[int]]
    report: Report
    def __init__(self, messages: Iterable[M] = ..., kept: Iterable[Optional[int]] = ..., report: Optional[Report] = ...) -> None: ...

class FittedRequest(Dict[str, Any]):
    report: Report
    def __init__(self, body: Any = ..., report: Optional[Report] = ...) -> None: ...

class Assembly:
    bytes: _Bytes
    report: Report
    def __init__(self, request: _Bytes, report: Report) -> None: ...
    @property
    def request(self) -> Any: ...

class Converted:
    bytes: _Bytes
    loss: List[Dict[str, Any]]
    def __init__(self, data: _Bytes, loss: List[Dict[str, Any]]) -> None: ...
    @property
    def text(self) -> str: ...
    def json(self) -> Any: ...

class History:
    def __init__(self, messages: Iterable[Any] = ..., *, model: Optional[str] = ..., shape: Optional[Shape] = ...) -> None: ...
    @classmethod
    def read(cls, source: Union[Mapping[str, Any], str, bytes], *, format: Optional[str] = ...) -> History: ...
    def append(self, message: Any) -> None: ...
    def extend(self, messages: Iterable[Any]) -> None: ...
    def summarize(self, text: str, until: int) -> None: ...
    def fit(self, *, model: Optional[str] = ..., max_input: Optional[int] = ..., **options: Unpack[FitOptions]) -> Fitted[Any]: ...
    def assemble(self, to: Optional[Dialect] = ..., *, each: bool = ..., **options: Unpack[AskOptions]) -> Assembly: ...
    def count(self, **options: Any) -> Count: ...
    @property
    def shape(self) -> Optional[Shape]: ...
    @property
    def messages(self) -> List[Any]: ...
    def __len__(self) -> int: ...

class StreamDecoder:
    def __init__(self, dialect: Dialect) -> None: ...
    def push(self, chunk: Union[str, bytes]) -> List[Dict[str, Any]]: ...
    def so_far(self) -> Reply: ...
    def finish(self) -> Reply: ...

@overload
def fit(  # type: ignore[overload-overlap]
    messages: Dict[str, Any], *, model: Optional[str] = ..., max_input: Optional[int] = ..., **options: Unpack[FitOptions]
) -> FittedRequest: ...
@overload
def fit(messages: History, *, model: Optional[str] = ..., max_input: Optional[int] = ..., **options: Unpack[FitOptions]) -> Fitted[Any]: ...
@overload
def fit(messages: Iterable[M], *, model: Optional[str] = ..., max_input: Optional[int] = ..., **options: Unpack[FitOptions]) -> Fitted[M]: ...
def assemble(
    source: Any,
    to: Optional[Dialect] = ...,
    *,
    each: bool = ...,
    format: Optional[str] = ...,
    shape: Optional[Shape] = ...,
    **options: Unpack[AskOptions],
) -> Assembly: ...
def count(source: Any, *, format: Optional[str] = ..., shape: Optional[Shape] = ..., **options: Any) -> Count: ...
def convert(
    source: Any,
    to: Union[Dialect, FileFormat],
    *,
    format: Optional[str] = ...,
    shape: Optional[Shape] = ...,
    **options: Any,
) -> Converted: ...
def lint(body: Any, dialect: Dialect) -> List[Finding]: ...
def decode(body: Any, dialect: Dialect) -> Reply: ...
def model(name: str) -> Optional[Dict[str, Any]]: ...
def models() -> List[Dict[str, Any]]: ...
