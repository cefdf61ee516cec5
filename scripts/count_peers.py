#!/usr/bin/env python3
"""Compares our token counts with the originals: Python's tiktoken and npm's tokenx.

  count_peers.py golden FILE          write the texts and counts that the tests hold
  count_peers.py check FILE.jsonl...  compare on files of JSON strings, one a line
  count_peers.py fuzz N [SEED]        compare on N random texts
  count_peers.py codepoints           compare on every code point in a few surroundings

Needs tiktoken 0.14.0 (with TIKTOKEN_CACHE_DIR set where there is no network), node, and TOKENX = the folder that holds
node_modules with tokenx 2.2.0. Ours is the example `counts`, named by COUNTS.
"""
import itertools
import json
import os
import random
import subprocess
import sys

import tiktoken

ENCODINGS = [tiktoken.get_encoding(name) for name in ("o200k_base", "cl100k_base")]
TOKENX = """import {estimateTokenCount} from 'tokenx'; import fs from 'fs';
const lines = fs.readFileSync(0, 'utf8').split('\\n'); lines.pop();
process.stdout.write(lines.map(l => estimateTokenCount(JSON.parse(l)) + '\\n').join(''));"""


def originals(texts):
    """For each text: o200k, cl100k, tokenx, chars4."""
    lines = "".join(json.dumps(text) + "\n" for text in texts)
    node = ["node", "--input-type=module", "-e", TOKENX]
    estimates = subprocess.run(node, input=lines, capture_output=True, text=True, check=True, cwd=os.environ["TOKENX"])
    exact = [[len(encoding.encode_ordinary(text)) for text in texts] for encoding in ENCODINGS]
    return list(zip(*exact, map(int, estimates.stdout.split()), (-(-len(text) // 4) for text in texts)))


def ours(texts):
    lines = "".join(json.dumps(text) + "\n" for text in texts)
    run = subprocess.run([os.environ["COUNTS"]], input=lines, capture_output=True, text=True, check=True)
    return [tuple(map(int, line.split())) for line in run.stdout.splitlines()]


def compare(texts, label):
    wrong = total = 0
    for batch in batched(texts, 20000):
        for text, want, got in zip(batch, originals(batch), ours(batch), strict=True):
            total += 1
            if want != got:
                wrong += 1
                if wrong <= 10:
                    print(label, json.dumps(text)[:300], "original", want, "ours", got)
    print(f"{label}: {total} texts, {wrong} differ", flush=True)
    return wrong


def batched(texts, size):
    texts = iter(texts)
    while batch := tuple(itertools.islice(texts, size)):
        yield batch


ASCII = list(" \t\r\n\v\f'sStTrReEvVlLmMdD/-.!\"_{}()[]aAbBzZ0129\0\x1f\x7f") + ["\r\n", "'s", "'LL", "  ", "\n\n", "://"]
WIDE = list("éÉßẞſKİıǅʰªº你好世界あアー한국어ضشก้ñ٣Ⅷ²½\u0301\u0903\u20dd\u00a0\u3000\u2003\u2028\u2029\u0085\u1680\u200b"
            "\u200d\ufeff\ufe0f\u20e3👍👨🏽🇩🇪❤©™🦀∑€、。「」，！ｆＦｱ￥〜・〰〽µωῼάЖжёᲀąŁžÿœ\U000e0061\U000e0100\U0001d400\U00010428"
            "\U00020000\U000104b0\uffff\U0010ffff\u0378") + ["👨\u200d👩\u200d👧\u200d👦", "e\u0301", "नमस्ते", "مرحبا"]
WORDS = ["<|endoftext|>", "<|fim_prefix|>", "don't", "HTTPServer", "camelCaseWord", "snake_case", "http://", "--------",
         "        ", "\n\n\n", "3.14159", "1234567890", "Straße", "naïve", "Übergröße", "привет", "ΑΒΓ", "I'LL", "'ſ", "o'clock"]


def texts(count, seed):
    rng = random.Random(seed)
    tokens = [token.decode("utf-8", "ignore") for encoding in ENCODINGS for token in encoding._mergeable_ranks]
    for _ in range(count):
        size = rng.choice((1, 2, 3, 5, 8, 13, 30, 80))
        way = rng.randrange(8)
        if way == 0:
            yield "".join(rng.choices(ASCII, k=size))
        elif way == 1:
            yield "".join(rng.choices(WIDE, k=size))
        elif way == 2:
            yield "".join(rng.choice(rng.choice((ASCII, WIDE, WORDS))) for _ in range(size))
        elif way == 3:
            yield "".join(chr(scalar(rng)) for _ in range(size))
        elif way == 4:
            yield "".join(rng.choices(tokens, k=size))
        elif way == 5:
            yield "".join(rng.choices("etaoinshrdlucmfw" if rng.random() < 0.5 else "abcXYZ", k=size * 3))
        elif way == 6:
            part = "".join(rng.choice(rng.choice((ASCII, WIDE, WORDS, tokens))) for _ in range(rng.randrange(1, 4)))
            yield part * rng.choice((2, 3, 7, 30, 200))
        else:
            few = rng.choices(ASCII + WIDE, k=3)
            yield "".join(rng.choices(few, k=size))


def scalar(rng):
    code = rng.choice((rng.randrange(0x250), rng.randrange(0x3000), rng.randrange(0x10000), rng.randrange(0x110000)))
    return 0x41 if 0xD800 <= code < 0xE000 else code


def around_every_code_point():
    for code in itertools.chain(range(0xD800), range(0xE000, 0x110000)):
        c = chr(code)
        yield f"{c}'s 1{c}11 A{c}b{c}B a{c}A  {c}x \n{c}\n\t{c}{c}!{c}/{c}\n"


def golden():
    hand = ["", " ", "  ", "\n", "\r\n", " \n", "\n ", "a", "'", "'s", "\0", "\0\0", "a\0", "ab\0", "\0a", *WORDS, *ASCII, *WIDE,
            "a" * 65, "a" * 1000, "-" * 300, " " * 500, "\n" * 200, "你好" * 700, "ab" * 1500, "0" * 100, "👍" * 300,
            "a \n  \n  b", "a \n ", "\u0301AB", "\u0301Ab", "你AB", "x\u0301'S", "A'Sb", "!'s", " 's", "1's", "'ſ", "aſ'ſ",
            "The quick brown fox jumps over the lazy dog.", "fn main() {\n    println!(\"hi\");\n}\n"]
    rng = random.Random(1)
    cases = hand + sorted(rng.sample([text for text in texts(4000, 2) if len(text) < 120], 400))
    rows = [{"text": text, "o200k": o, "cl100k": c, "tokenx": x, "chars4": f}
            for text, (o, c, x, f) in zip(cases, originals(cases), strict=True)]
    return "[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n"


def main():
    what, *rest = sys.argv[1:]
    if what == "golden":
        with open(rest[0], "w") as file:
            file.write(golden())
        return 0
    if what == "check":
        return sum(compare((json.loads(line) for line in open(path, encoding="utf-8")), path) for path in rest) > 0
    if what == "fuzz":
        return compare(texts(int(rest[0]), int(rest[1]) if rest[1:] else 0), "fuzz") > 0
    if what == "codepoints":
        return compare(around_every_code_point(), "codepoints") > 0
    sys.exit(__doc__)


if __name__ == "__main__":
    sys.exit(main())
