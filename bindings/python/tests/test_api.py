"""What a caller gets: shapes, handles, errors, and an interpreter that is not held."""

import json
import sys
import threading
import time
import unittest

import weftwork

LONG = "word " * 300
CALL = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}


def chat(n):
    return [{"role": "user" if at % 2 == 0 else "assistant", "content": f"{at} {LONG}"} for at in range(n)]


class Fit(unittest.TestCase):
    def test_messages_that_stay_are_the_very_objects_that_came_in(self):
        messages = chat(9)
        fitted = weftwork.fit(messages, model="gpt-4o", max_input=2000)
        self.assertIsInstance(fitted, list)
        self.assertEqual(fitted.kept, [0, 1, None, 5, 6, 7, 8])
        self.assertTrue(all(one is messages[at] for one, at in zip(fitted, fitted.kept) if at is not None))
        self.assertEqual(fitted[2], {"role": "user", "content": "[… 3 messages omitted …]"})
        self.assertEqual(json.loads(json.dumps(fitted)), list(fitted))

    def test_any_iterable_and_tuples_and_unicode(self):
        messages = ({"role": "user", "content": text} for text in ("a\u2028\x07\"\\", "\U0001f4c8 شكراً", "\ud800"))
        self.assertEqual([one["content"] for one in weftwork.fit(messages)], ["a\u2028\x07\"\\", "\U0001f4c8 شكراً", "\ud800"])
        self.assertEqual(len(weftwork.fit([{"role": "user", "content": ({"type": "text", "text": "a"},)}])), 1)

    def test_a_request_body_keeps_everything_else(self):
        body = {"model": "gpt-4o", "messages": chat(9), "temperature": 0.5, "metadata": {"a": 1}}
        fitted = weftwork.fit(body, max_input=2000)
        self.assertEqual({**fitted, "messages": None}, {**body, "messages": None})
        self.assertEqual([one["content"][:2] for one in fitted["messages"]], ["0 ", "1 ", "[…", "5 ", "6 ", "7 ", "8 "])
        self.assertEqual(fitted.report["truncated"], True)

    def test_a_handle_gives_what_fitting_anew_gives(self):
        messages = chat(31)
        history = weftwork.History(model="gpt-4o")
        for at, message in enumerate(messages):
            history.append(message)
            self.assertEqual(history.fit(max_input=2000).kept, weftwork.fit(messages[: at + 1], model="gpt-4o", max_input=2000).kept)
        self.assertEqual((len(history), history.shape, history.messages), (31, "openai", messages))


class Errors(unittest.TestCase):
    def raises(self, error, call, /, **facts):
        with self.assertRaises(error) as caught:
            call()
        self.assertIsInstance(caught.exception, weftwork.WeftworkError)
        for fact, value in facts.items():
            self.assertEqual(getattr(caught.exception, fact), value, caught.exception)
        return caught.exception

    def test_bad_input_names_the_message(self):
        good = {"role": "user", "content": "a"}
        deep = good
        for _ in range(200):
            deep = {"role": "user", "content": [deep]}
        cases = [
            ({"role": "wizard", "content": "b"}, "$[1].role"),
            ({"content": "b"}, "$[1]"),
            (None, "$[1]"),
            (7, "$[1]"),
            ("text", "$[1]"),
            ([], "$[1]"),
            (object(), "$[1]"),
            ({"role": "user", "content": {1, 2}}, "$[1]"),
            ({1: 2}, "$[1]"),
            ({"role": "user", "content": float("nan")}, "$[1]"),
            ({"role": "user", "content": [{"type": "text", "text": 1}]}, "$[1].content[0].text"),
            ({"role": "tool", "content": "no call"}, "$[1]"),
            (deep, "$[1]"),
        ]
        for bad, path in cases:
            with self.subTest(repr(bad)[:60]):
                self.raises(weftwork.InvalidMessage, lambda: weftwork.fit([good, bad, good]), index=1, path=path)
                history = weftwork.History([good])
                self.raises(weftwork.InvalidMessage, lambda: history.extend([good, bad]), index=1, path=path)
                self.assertEqual(len(history), 1)
                history.append(good)

    def test_other_faults_have_their_facts(self):
        messages = chat(3)
        fault = self.raises(weftwork.DoesNotFit, lambda: weftwork.fit(messages, max_input=100), kind="doesNotFit")
        self.assertEqual((fault.budget["contextLength"], fault.largest[0]["tokens"] > 100), (100, True))
        self.raises(weftwork.DoesNotFit, lambda: weftwork.fit(messages, max_input=400, strategy="stopAtLimit"), kind="overLimit")
        self.raises(weftwork.NothingToSend, lambda: weftwork.fit([]))
        self.raises(weftwork.InvalidOption, lambda: weftwork.fit(messages, max_inputs=3))
        self.raises(weftwork.InvalidOption, lambda: weftwork.fit(messages, strategy="magic"))
        self.raises(weftwork.InvalidOption, lambda: weftwork.fit(messages, max_input=-1))
        self.raises(weftwork.InvalidOption, lambda: weftwork.assemble(messages, "klingon"))
        self.raises(weftwork.InvalidOption, lambda: weftwork.lint({}, "klingon"))
        self.raises(weftwork.InvalidInput, lambda: weftwork.fit("text"))
        self.raises(weftwork.InvalidInput, lambda: weftwork.History.read(b"\xff\xfe"))
        self.raises(weftwork.InvalidReply, lambda: weftwork.decode(b"", "openai"))
        error = {"error": {"type": "overloaded_error", "message": "busy"}, "type": "error"}
        self.raises(weftwork.ProviderError, lambda: weftwork.decode(error, "anthropic"), kind="overloaded")
        call = {"role": "assistant", "content": "", "tool_calls": [CALL]}
        self.raises(weftwork.NeedsRepair, lambda: weftwork.fit([*messages, call], strict=True), kind="interruptedCall")
        node = {"id": "a", "parent": "gone", "author": "x"}
        file = {"weft": 1, "space": {"id": "s", "name": "S"}, "entities": [{"id": "x", "name": "X", "type": "human"}], "nodes": [node]}
        self.raises(weftwork.InvalidHistory, lambda: weftwork.History.read(file), node="a")

    def test_random_rubbish_never_does_worse(self):
        import random

        dice = random.Random(8)
        texts = ["", "role", "user", "tool", "assistant", "content", "type", "text", "tool_calls", "tool_use", "id", "\x00", "é"]

        def rubbish(depth):
            kind = dice.randrange(7 if depth else 5)
            if kind < 2:
                return dice.choice(texts)
            if kind < 5:
                return dice.choice([None, True, 0, -1, 2**70, 1.5])
            if kind == 5:
                return [rubbish(depth - 1) for _ in range(dice.randrange(4))]
            return {dice.choice(texts): rubbish(depth - 1) for _ in range(dice.randrange(5))}

        for _ in range(3000):
            messages = [{"role": dice.choice(["user", "assistant", "tool", "x"]), "content": rubbish(4)} for _ in range(3)]
            for call in (weftwork.fit, lambda m: weftwork.convert(m, "anthropic"), lambda m: weftwork.lint(m, "openai")):
                try:
                    call(messages)
                except weftwork.InternalError:
                    raise
                except weftwork.WeftworkError:
                    pass


class Interpreter(unittest.TestCase):
    def test_it_is_not_held_during_long_work(self):
        history = weftwork.History(chat(3000))
        ticks, done = [], threading.Event()

        def work():
            history.fit(max_input=4000)
            done.set()

        before = sys.getswitchinterval()
        sys.setswitchinterval(60)  # Without letting go, a thread would keep the interpreter for a minute.
        try:
            thread = threading.Thread(target=work)
            thread.start()
            while not done.is_set():
                ticks.append(time.perf_counter())
                time.sleep(0)
        finally:
            sys.setswitchinterval(before)
        thread.join()
        self.assertGreater(len(ticks), 10)

    def test_threads_may_share_a_handle(self):
        history, faults = weftwork.History(chat(3)), []

        def work():
            try:
                for _ in range(50):
                    history.append({"role": "user", "content": "x"})
                    history.fit(max_input=3000)
            except Exception as fault:  # noqa: BLE001
                faults.append(fault)

        threads = [threading.Thread(target=work) for _ in range(4)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        self.assertEqual((faults, len(history)), ([], 203))


if __name__ == "__main__":
    unittest.main()
