"""For LangChain: `trim_messages` with the same name and arguments, and a runnable to put before a model.

    from weftwork.langchain import trim_messages
    chain = trim_messages(max_tokens=8000, token_counter="gpt-4o") | model

Messages that stay are the very objects that came in. Calls keep their results, and what is kept begins where an API lets it
begin. `langchain_core` is imported when something here is used.
"""

from __future__ import annotations

import json

from . import fit

_ROLES = {"human": "user", "ai": "assistant", "system": "system", "tool": "tool", "function": "function"}


def trim_messages(messages=None, *, max_tokens, token_counter="auto", strategy="last", include_system=True, **options):
    """Messages that fit into `max_tokens`; without `messages`, a runnable that trims.

    `token_counter` is the name of a model, or one of the counters `auto`, `o200k`, `cl100k`, `chars4`, `tokenx`. `strategy` is
    LangChain's `last`, or one of the engine's (`truncateMiddle`, `dropOldest`, `stickyWindow`, …). The options `allow_partial`,
    `start_on` and `end_on` of LangChain have no use: only what an API refuses is never produced.
    """
    for unused in ("allow_partial", "start_on", "end_on", "text_splitter"):
        options.pop(unused, None)

    def trim(given):
        return _trim(given, max_tokens, token_counter, strategy, include_system, options)

    if messages is not None:
        return trim(messages)
    from langchain_core.runnables import RunnableLambda

    return RunnableLambda(trim, name="weftwork.trim_messages")


def _trim(messages, max_tokens, token_counter, strategy, include_system, options):
    from langchain_core.messages import convert_to_messages

    messages = convert_to_messages(messages)
    if not include_system:
        messages = [message for message in messages if message.type != "system"]
    if not messages:
        return []
    counter = token_counter in ("auto", "o200k", "cl100k", "chars4", "tokenx")
    options = {"counter" if counter else "model": token_counter, **options}
    if strategy == "last":
        options = {"strategy": "rollingWindow", "marker": False, **options}
    else:
        options["strategy"] = strategy
    fitted = fit([as_dict(message) for message in messages], max_input=max_tokens, shape="openai", **options)
    written = iter(convert_to_messages([one for one, place in zip(fitted, fitted.kept) if place is None]))
    return [messages[place] if place is not None else next(written) for place in fitted.kept]


def as_dict(message):
    """A message of LangChain's in OpenAI's shape."""
    role = _ROLES.get(message.type) or getattr(message, "role", "user")
    out = {"role": role, "content": _content(message.content)}
    calls = list(getattr(message, "tool_calls", None) or ()) + list(getattr(message, "invalid_tool_calls", None) or ())
    if calls:
        out["tool_calls"] = [_call(call) for call in calls]
        # Some providers write the call as a block too.
        if isinstance(out["content"], list):
            out["content"] = [block for block in out["content"] if block.get("type") not in ("tool_use", "tool_call", "function_call")]
    if role == "tool":
        out["tool_call_id"] = message.tool_call_id
    return out


def _content(content):
    if isinstance(content, str):
        return content
    return [{"type": "text", "text": block} if isinstance(block, str) else _block(block) for block in content]


def _block(block):
    if block.get("type") == "image" and "url" in block:
        return {"type": "image_url", "image_url": {"url": block["url"]}}
    if block.get("type") == "image" and isinstance(block.get("base64"), str):
        kind = block.get("mime_type", "image/png")
        return {"type": "image_url", "image_url": {"url": f"data:{kind};base64,{block['base64']}"}}
    return block


def _call(call):
    args = call["args"]
    args = args if isinstance(args, str) else json.dumps(args, ensure_ascii=False)
    return {"id": call["id"], "type": "function", "function": {"name": call["name"], "arguments": args}}
