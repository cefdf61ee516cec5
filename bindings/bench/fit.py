"""Fitting a long chat: ours from a handle and from plain dicts, beside LangChain's trim_messages, in one process.

    scripts/bindings.sh bench          or: MESSAGES=20000 scripts/bindings.sh bench

LangChain's exact counter is tiktoken's o200k_base over each message, with what OpenAI documents for each message (as its OpenAI
integration counts). Its approximate counter is its own `count_tokens_approximately`. Conversion is what it takes to fill a handle:
dicts into JSON text, and that into nodes.
"""

import json
import os
import pathlib
import random
import sys
import time

import weftwork

N = int(os.environ.get("MESSAGES", "100000"))
MOST = 8000
WORDS = "the beans grow and the snails eat what was planted in spring while rain falls on leaves 42 <b>code()</b> naïve 世界".split()


def chat(n):
    """A chat of questions, tool calls, results and answers, some forty tokens each."""
    dice = random.Random(8)
    messages = [{"role": "system", "content": "You are a gardener."}]
    while len(messages) < n:
        at = len(messages)
        say = lambda: " ".join(dice.choices(WORDS, k=dice.randrange(10, 50)))  # noqa: E731
        messages.append({"role": "user", "content": say()})
        if at % 5 == 0:
            call = {"id": f"c{at}", "type": "function", "function": {"name": "look", "arguments": json.dumps({"at": at})}}
            messages.append({"role": "assistant", "content": "", "tool_calls": [call]})
            messages.append({"role": "tool", "tool_call_id": f"c{at}", "content": say()})
        messages.append({"role": "assistant", "content": say()})
    messages = messages[: n - 1]
    while messages[-1].get("tool_calls") or messages[-1]["role"] == "tool":
        messages.pop()
    messages.append({"role": "user", "content": "What did I plant?"})
    return messages


def timed(label, work, times=1):
    """Seconds of processor time of the fastest of some runs: all of it is done in one thread, and other programs do not count."""
    best = float("inf")
    for _ in range(times):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    print(f"{label:<66} {best * 1e3:>12.3f} ms", flush=True)
    return best


def ranks(*_, **__):
    """The merges of o200k_base: those that the engine has on board, so that nothing has to be fetched."""
    data = (pathlib.Path(__file__).resolve().parents[2] / "crates/engine/vocab/o200k.merges").read_bytes()
    tokens, width = [bytes([byte]) for byte in data[:256]], 18
    halves = [bits_of(data, 256, at * width, width) for at in range((len(data) - 256) * 8 // width)]
    for left, right in zip(halves[::2], halves[1::2]):
        tokens.append(tokens[left] + tokens[right])
    return {token: rank for rank, token in enumerate(tokens)}


def bits_of(data, start, at, width):
    first = start + at // 8
    return int.from_bytes(data[first : first + 4], "little") >> at % 8 & (1 << width) - 1


def encoding():
    """tiktoken's o200k_base."""
    import tiktoken
    from tiktoken_ext import openai_public

    openai_public.load_tiktoken_bpe = ranks
    return tiktoken.Encoding(**openai_public.o200k_base())


def exact_counter():
    """A counter for trim_messages that counts as OpenAI does."""
    encode = encoding().encode_ordinary

    def count(messages):
        total = 3
        for message in messages:
            total += 3 + len(encode(message.content if isinstance(message.content, str) else json.dumps(message.content)))
            for call in getattr(message, "tool_calls", None) or ():
                total += len(encode(call["name"])) + len(encode(json.dumps(call["args"])))
        return total

    return count


def main():
    from langchain_core.messages import convert_to_messages
    from langchain_core.messages import trim_messages as theirs
    from langchain_core.messages.utils import count_tokens_approximately

    messages = chat(N)
    print(f"{len(messages)} messages, {len(json.dumps(messages)) / 1e6:.1f} MB as JSON, to {MOST} tokens; Python {sys.version.split()[0]}")
    options = {"model": "gpt-4o", "max_input": MOST, "strategy": "rollingWindow", "marker": False}

    taken = timed("ours: conversion, which is to fill a handle", lambda: weftwork.History(messages, model="gpt-4o"), 3)
    history = weftwork.History(messages, model="gpt-4o")
    first = timed("ours: its first fit, which counts everything", lambda: history.fit(**options))
    handle = timed("ours: from the handle", lambda: history.fit(**options), 200)

    def grow():
        history.append({"role": "assistant", "content": "Beans."})
        history.append({"role": "user", "content": "And when?"})
        history.fit(**options)

    grown = timed("ours: two messages more and again", grow, 50)
    whole = timed("ours: from plain dicts, without a handle", lambda: weftwork.fit(messages, **options), 3)
    chars = timed("ours: the same with an estimate (chars4)", lambda: weftwork.fit(messages, **{**options, "counter": "chars4"}), 3)

    kinds = {"max_tokens": MOST, "strategy": "last", "include_system": True, "start_on": "human"}
    converted = timed("LangChain: dicts into its messages", lambda: convert_to_messages(messages))
    objects = convert_to_messages(messages)
    rough = timed("LangChain: approximate counter, its messages", lambda: theirs(objects, token_counter=count_tokens_approximately, **kinds))
    rough_dicts = timed("LangChain: approximate counter, plain dicts", lambda: theirs(messages, token_counter=count_tokens_approximately, **kinds))
    exact = timed("LangChain: exact counter, its messages", lambda: theirs(objects, token_counter=exact_counter(), **kinds))

    print()
    print(f"from a handle, beside its exact counter:          {exact / handle:>10,.0f} times faster")
    print(f"with two messages more, beside its exact counter: {exact / grown:>10,.0f} times faster")
    print(f"from plain dicts, beside its approximate counter: {rough_dicts / whole:>10.1f} times faster ({rough / whole:.1f} beside its own messages)")
    print(f"conversion is {100 * taken / whole:.0f} % of fitting plain dicts ({100 * taken / chars:.0f} % with the estimate)")
    results = {
        "messages": len(messages), "conversion": taken, "first": first, "handle": handle, "grown": grown, "dicts": whole, "dictsChars4": chars,
        "langchainConvert": converted, "langchainApproximate": rough,
        "langchainApproximateDicts": rough_dicts, "langchainExact": exact,
    }
    folder = pathlib.Path(__file__).resolve().parents[2] / "target/bench"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bindings.json").write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
