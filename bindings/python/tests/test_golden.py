"""The golden cases of the engine, byte for byte, and every recorded stream."""

import hashlib
import json
import pathlib
import unittest

import weftwork

ROOT = pathlib.Path(__file__).resolve().parents[3]


def words(options):
    snake = {"contextLength": "context_length", "maxTokens": "max_tokens", "lowWater": "low_water"}
    return {snake.get(key, key): value for key, value in options.items()}


class Golden(unittest.TestCase):
    def test_every_case_gives_the_same_bytes_as_in_rust(self):
        histories = {}
        for case in json.loads((ROOT / "crates/engine/tests/golden/cases.json").read_text()):
            name = case["file"]
            if name not in histories:
                histories[name] = weftwork.History.read((ROOT / name).read_bytes())
            with self.subTest(**case):
                try:
                    assembly = histories[name].assemble(case["to"], **words(case["options"]))
                    got = {"hash": "sha256:" + hashlib.sha256(assembly.bytes).hexdigest()}
                    self.assertEqual(assembly.report["hash"], got["hash"])
                except weftwork.WeftworkError as error:
                    got = {"error": str(error)}
                self.assertEqual(got, {key: case[key] for key in got})

    def test_every_stream_gives_the_same_reply_as_in_rust(self):
        for name, case in json.loads((ROOT / "bindings/core/tests/replies.json").read_text()).items():
            with self.subTest(name):
                stream = weftwork.StreamDecoder(case["dialect"])
                data = (ROOT / "crates/engine/tests/fixtures/streams" / name).read_bytes()
                try:
                    for at in range(0, len(data), 11):
                        stream.push(data[at : at + 11])
                    reply = stream.finish()
                except weftwork.WeftworkError as error:
                    self.assertEqual(type(error).__name__, case["reply"].get("error"))
                else:
                    self.assertEqual(reply, case["reply"])


if __name__ == "__main__":
    unittest.main()
