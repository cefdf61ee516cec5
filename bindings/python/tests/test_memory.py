"""Memory does not grow with the number of calls; WEFT_CALLS says how many."""

import gc
import os
import unittest

import weftwork

CALLS = int(os.environ.get("WEFT_CALLS", "6000"))
MESSAGES = [{"role": "user" if at % 2 == 0 else "assistant", "content": f"{at} " + "word " * 20} for at in range(12)]


def resident():
    """Bytes of memory this process holds."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def round_of_calls(history):
    weftwork.fit(MESSAGES, max_input=150)
    history.fit(max_input=150)
    history.assemble("anthropic", max_input=150)
    weftwork.lint(MESSAGES, "openai")
    weftwork.decode({"choices": [{"message": {"role": "assistant", "content": "a"}, "finish_reason": "stop"}]}, "openai")
    try:
        weftwork.fit([*MESSAGES, {"role": "x"}])
    except weftwork.InvalidMessage:
        pass


@unittest.skipUnless(os.path.exists("/proc/self/statm"), "needs Linux's account of memory")
class Memory(unittest.TestCase):
    def test_it_is_flat(self):
        history = weftwork.History(MESSAGES)
        rounds = max(CALLS // 6, 100)
        for _ in range(rounds // 5):
            round_of_calls(history)
        gc.collect()
        before = resident()
        for _ in range(rounds):
            round_of_calls(history)
        gc.collect()
        grown = resident() - before
        print(f"{rounds * 6} calls, {grown / 1024:.0f} KiB more")
        self.assertLess(grown, 2 << 20)


if __name__ == "__main__":
    unittest.main()
