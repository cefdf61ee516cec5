"""The official Python clients against a server. Any surprise is an exception."""
import json
import os

import anthropic
import openai

url, token = os.environ["WEFT_URL"], os.environ["WEFT_TOKEN"]
TOOL = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
CALL = '!say Let me look.\n!call search {"query": "bees"}\n!say Found: bees.'


def chat(client):
    def ask(text, **more):
        return client.chat.completions.create(model="offline", messages=[{"role": "user", "content": text}], **more)

    assert ask("!say hello").choices[0].message.content == "hello"
    pieces = [chunk for chunk in ask("!say one two three", stream=True, stream_options={"include_usage": True})]
    text = "".join(chunk.choices[0].delta.content or "" for chunk in pieces if chunk.choices)
    assert text == "one two three", text
    assert pieces[-1].usage.completion_tokens > 0
    tools = [{"type": "function", "function": {"name": "search", "parameters": TOOL}}]
    first = ask(CALL, tools=tools)
    call = first.choices[0].message.tool_calls[0]
    assert first.choices[0].finish_reason == "tool_calls" and json.loads(call.function.arguments) == {"query": "bees"}
    streamed = ""
    for chunk in ask(CALL, tools=tools, stream=True):
        for part in chunk.choices[0].delta.tool_calls or [] if chunk.choices else []:
            streamed += part.function.arguments or ""
    assert json.loads(streamed) == {"query": "bees"}, streamed
    after = client.chat.completions.create(
        model="offline",
        tools=tools,
        messages=[
            {"role": "user", "content": CALL},
            first.choices[0].message.model_dump(exclude_none=True),
            {"role": "tool", "tool_call_id": call.id, "content": "bees it is"},
        ],
    )
    assert after.choices[0].message.content == "Found: bees.", after


def responses(client):
    assert client.responses.create(model="offline", input="!say hello").output_text == "hello"
    with client.responses.stream(model="offline", input="!say one two") as stream:
        kinds = [event.type for event in stream]
        assert stream.get_final_response().output_text == "one two"
    assert kinds[0] == "response.created" and kinds[-1] == "response.completed", kinds
    tools = [{"type": "function", "name": "search", "parameters": TOOL, "strict": False}]
    called = client.responses.create(model="offline", input=CALL, tools=tools)
    calls = [item for item in called.output if item.type == "function_call"]
    assert json.loads(calls[0].arguments) == {"query": "bees"}


def messages(client):
    def ask(text, **more):
        return dict(model="offline", max_tokens=500, messages=[{"role": "user", "content": text}], **more)

    assert client.messages.create(**ask("!say hello")).content[0].text == "hello"
    with client.messages.stream(**ask("!say one two")) as stream:
        assert "".join(stream.text_stream) == "one two"
        assert stream.get_final_message().usage.output_tokens > 0
    tools = [{"name": "search", "description": "finds", "input_schema": TOOL}]
    first = client.messages.create(**ask(CALL, tools=tools))
    use = [block for block in first.content if block.type == "tool_use"][0]
    assert first.stop_reason == "tool_use" and use.input == {"query": "bees"}
    with client.messages.stream(**ask(CALL, tools=tools)) as stream:
        blocks = stream.get_final_message().content
    assert [block.input for block in blocks if block.type == "tool_use"] == [{"query": "bees"}]
    after = ask(CALL, tools=tools)
    after["messages"] += [
        {"role": "assistant", "content": [block.model_dump() for block in first.content]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": use.id, "content": "bees"}]},
    ]
    assert client.messages.create(**after).content[0].text == "Found: bees."
    picture = {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}
    seen = ask("")
    seen["messages"] = [{"role": "user", "content": [{"type": "image", "source": picture}, {"type": "text", "text": "!say seen"}]}]
    assert client.messages.create(**seen).content[0].text == "seen"
    assert client.messages.count_tokens(model="offline", messages=[{"role": "user", "content": "four words in all"}]).input_tokens > 3


def fails(kind, act):
    try:
        act()
    except kind:
        return
    raise AssertionError(f"{kind} was expected")


def errors(oai, claude):
    hello = [{"role": "user", "content": "!say hello"}]
    fails(openai.NotFoundError, lambda: oai.chat.completions.create(model="nobody", messages=hello))
    fails(anthropic.NotFoundError, lambda: claude.messages.create(model="nobody", max_tokens=1, messages=hello))
    fails(openai.BadRequestError, lambda: oai.chat.completions.create(model="offline", messages=[]))
    fails(anthropic.BadRequestError, lambda: claude.messages.create(model="offline", max_tokens=1, messages=[]))
    limited = [{"role": "user", "content": "!fail 429"}]
    fails(openai.RateLimitError, lambda: oai.chat.completions.create(model="offline", messages=limited))
    fails(anthropic.RateLimitError, lambda: claude.messages.create(model="offline", max_tokens=1, messages=limited))
    broken = [{"role": "user", "content": "!say a few words\n!fail 529"}]
    fails(openai.APIError, lambda: list(oai.chat.completions.create(model="offline", messages=broken, stream=True)))
    fails(openai.AuthenticationError, lambda: openai.OpenAI(base_url=f"{url}/v1", api_key="wft_x").models.list())
    fails(anthropic.AuthenticationError, lambda: anthropic.Anthropic(base_url=url, api_key="wft_x").models.list())


def cancellation(client):
    slow = [{"role": "user", "content": "!stream 5\n!say " + "word " * 500}]
    stream = client.chat.completions.create(model="offline", messages=slow, stream=True)
    next(iter(stream))
    stream.close()
    assert client.chat.completions.create(model="offline", messages=[{"role": "user", "content": "!say on"}]).choices


def held(client, space):
    """The space holds the history; the client sends what it always sends."""
    here = client.with_options(default_headers={"weft-space": space})
    tools = [{"type": "function", "function": {"name": "search", "parameters": TOOL}}]
    known = []

    def ask(**more):
        return here.chat.completions.create(model="gpt-any", messages=known, tools=tools, **more)

    known.append({"role": "user", "content": "!say hello"})
    first = ask()
    assert first.choices[0].message.content == "hello", first
    known.append(first.choices[0].message)
    known.append({"role": "user", "content": CALL})
    called = ask().choices[0]
    assert called.finish_reason == "tool_calls", called
    known.append(called.message)
    known.append({"role": "tool", "tool_call_id": called.message.tool_calls[0].id, "content": "bees it is"})
    text = "".join(chunk.choices[0].delta.content or "" for chunk in ask(stream=True) if chunk.choices)
    assert text == "Found: bees.", text
    known += [{"role": "assistant", "content": text}, {"role": "user", "content": "!say on"}]
    known[0] = {"role": "user", "content": "!say otherwise"}
    fails(openai.ConflictError, ask)
    known[0] = {"role": "user", "content": "!say hello"}
    assert ask().choices[0].message.content == "on"


oai = openai.OpenAI(base_url=f"{url}/v1", api_key=token, max_retries=0)
claude = anthropic.Anthropic(base_url=url, api_key=token, max_retries=0)
chat(oai)
responses(oai)
messages(claude)
errors(oai, claude)
cancellation(oai)
held(oai, os.environ["WEFT_SPACE"])
assert any(model.id == "offline/offline" for model in oai.models.list())
assert any(model.id == "offline/offline" for model in claude.models.list())
