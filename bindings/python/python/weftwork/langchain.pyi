from typing import Any, Dict, List, Sequence, overload

# Messages and runnables are LangChain's; they are not named here, so that checking this package does not need it.
@overload
def trim_messages(
    messages: None = ..., *, max_tokens: int, token_counter: str = ..., strategy: str = ..., include_system: bool = ..., **options: Any
) -> Any: ...
@overload
def trim_messages(
    messages: Sequence[Any], *, max_tokens: int, token_counter: str = ..., strategy: str = ..., include_system: bool = ..., **options: Any
) -> List[Any]: ...
def as_dict(message: Any) -> Dict[str, Any]: ...
