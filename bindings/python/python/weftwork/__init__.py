"""Weave from any conversation exactly what a model should see.

    import weftwork
    messages = weftwork.fit(messages, model="gpt-4o", max_input=8000)

Messages are the plain dicts a program already has, in the shape of OpenAI (Chat Completions or Responses), Anthropic or the
AI SDK, and come back in the same shape. What is sent unchanged is the very object that came in.
"""

from __future__ import annotations

import json as _json
import re as _re

from . import _native
from ._native import __version__
from .errors import (
    DoesNotFit,
    InternalError,
    InvalidHistory,
    InvalidInput,
    InvalidMessage,
    InvalidOption,
    InvalidReply,
    NeedsRepair,
    NothingToSend,
    ProviderError,
    WeftworkError,
)

__all__ = [
    "Assembly",
    "Converted",
    "DoesNotFit",
    "Fitted",
    "FittedRequest",
    "History",
    "InternalError",
    "InvalidHistory",
    "InvalidInput",
    "InvalidMessage",
    "InvalidOption",
    "InvalidReply",
    "NeedsRepair",
    "NothingToSend",
    "ProviderError",
    "StreamDecoder",
    "WeftworkError",
    "__version__",
    "assemble",
    "convert",
    "count",
    "decode",
    "fit",
    "lint",
    "model",
    "models",
]


def _camel(options):
    """Options as the native part writes them; what is None was not given."""
    given = {key: value for key, value in options.items() if value is not None}
    return {_re.sub(r"_([a-z])", lambda found: found[1].upper(), key): value for key, value in given.items()}


class Fitted(list):
    """The messages that fit, a list. `report` says what happened to every message; `kept` has, for each message here, its
    place in the list that came in, or None where it was written anew."""

    def __init__(self, messages=(), kept=(), report=None):
        super().__init__(messages)
        self.kept = list(kept)
        self.report = report if report is not None else {}


class FittedRequest(dict):
    """A request body whose messages fit, a dict, with its `report`."""

    def __init__(self, body=(), report=None):
        super().__init__(body)
        self.report = report if report is not None else {}


class Assembly:
    """A request. `bytes` are exactly what is to be sent, `request` is the same as an object, `report` says how it came about."""

    __slots__ = ("bytes", "report")

    def __init__(self, request, report):
        self.bytes = request
        self.report = report

    @property
    def request(self):
        if self.report["dialect"] == "text":
            return self.bytes.decode()
        return _json.loads(self.bytes)

    def __repr__(self):
        return f"Assembly({self.report['dialect']}, {len(self.bytes)} bytes, {self.report['hash']})"


class Converted:
    """A conversation in another format: `bytes`, and in `loss` a line for whatever was mapped, dropped or repaired."""

    __slots__ = ("bytes", "loss")

    def __init__(self, data, loss):
        self.bytes = data
        self.loss = loss

    @property
    def text(self):
        return self.bytes.decode()

    def json(self):
        return _json.loads(self.bytes)


class History:
    """A conversation that is read once and assembled often: what is appended is read and counted, nothing else is again."""

    __slots__ = ("_native",)

    def __init__(self, messages=(), *, model=None, shape=None):
        self._native = _native.NativeHistory.messages(_camel({"model": model, "shape": shape}))
        self.extend(messages)

    @classmethod
    def read(cls, source, *, format=None):
        """Any conversation: a file of Weft's with branches and many authors, a request body, an export of another program."""
        history = cls.__new__(cls)
        history._native = _native.NativeHistory.read(source, _camel({"format": format}))
        return history

    def append(self, message):
        """Adds a message; to a conversation file, a node."""
        self._native.append([message])

    def extend(self, messages):
        """Adds messages; all of them or, where one is bad, none."""
        messages = list(messages)
        if messages:
            self._native.append(messages)

    def summarize(self, text, until):
        """From now on `text` stands for the first `until` messages."""
        self._native.summarize(text, until)

    def fit(self, *, model=None, max_input=None, **options):
        return Fitted(*self._native.fit(_camel({"model": model, "max_input": max_input, **options})))

    def assemble(self, to=None, *, each=False, **options):
        return Assembly(*self._native.assemble(_camel({"to": to, **options}), each))

    def count(self, **options):
        return self._native.count(_camel(options))

    @property
    def shape(self):
        return self._native.shape

    @property
    def messages(self):
        """The messages that came in, in order."""
        return list(self._native.own)

    def __len__(self):
        return len(self._native)


def fit(messages, *, model=None, max_input=None, **options):
    """The messages that fit into `max_input` tokens, or into the model's window; a request body as a whole likewise."""
    options = _camel({"model": model, "max_input": max_input, **options})
    if isinstance(messages, History):
        return Fitted(*messages._native.fit(options))
    if isinstance(messages, dict):
        return FittedRequest(*_native.fit_request(messages, options))
    if isinstance(messages, (str, bytes)):
        raise InvalidInput("fit takes a list of messages or a request body, not text")
    return Fitted(*_native.fit(messages if isinstance(messages, list) else list(messages), options))


def assemble(source, to=None, *, each=False, format=None, shape=None, **options):
    """A request in the dialect `to`, from messages, a request body, a conversation file or a `History`."""
    return _history(source, format, shape).assemble(to, each=each, **options)


def count(source, *, format=None, shape=None, **options):
    """Tokens of a text, or of each message of a conversation."""
    if isinstance(source, str) and format is None:
        return _native.count_text(source, _camel(options))
    return _history(source, format, shape).count(**options)


def _history(source, format, shape):
    if isinstance(source, History):
        return source
    if isinstance(source, (dict, str, bytes)):
        return History.read(source, format=format or shape)
    return History(source, shape=shape)


def convert(source, to, *, format=None, shape=None, **options):
    """A conversation as a request of another API (`openai`, `responses`, `anthropic`, `gemini`, `ollama`, `ai-sdk`, …) or as
    a file (`weft`, `weft-jsonl`, `openai-jsonl`, `markdown`)."""
    source = source if isinstance(source, (dict, str, bytes)) else list(source)
    return Converted(*_native.convert(source, to, _camel({"format": format, "shape": shape, **options})))


def lint(body, dialect):
    """The wire rules of an API that a request body breaks."""
    return _native.lint(body, dialect)


def decode(body, dialect):
    """A whole reply of a provider: text, parts, tool calls, why it stopped, usage."""
    return _native.decode(body, dialect)


class StreamDecoder:
    """A streamed reply, wherever its bytes are cut: `push` gives what they complete, `finish` the reply."""

    __slots__ = ("_native",)

    def __init__(self, dialect):
        self._native = _native.NativeStream(dialect)

    def push(self, chunk):
        return self._native.push(chunk)

    def so_far(self):
        return self._native.so_far()

    def finish(self):
        return self._native.finish()


def model(name):
    """What is known of a model: window, vocabulary, prices; None if nothing is."""
    return _native.model(name)


def models():
    """The models known by name."""
    return _native.models()
