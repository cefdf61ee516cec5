"""Every block of Python in the cookbook and the README runs."""

import contextlib
import io
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]


def blocks(path):
    """The blocks with the heading each stands under."""
    text = (ROOT / path).read_text()
    for found in re.finditer(r"^```python\n(.*?)^```", text, re.S | re.M):
        headings = re.findall(r"^#+ (.+)$", text[: found.start()], re.M)
        yield headings[-1], found[1]


class Cookbook(unittest.TestCase):
    def test_every_recipe_runs(self):
        (_, beginning), *recipes = blocks("docs/cookbook.md")
        self.assertEqual(len({heading for heading, _ in recipes}), 10)
        for heading, code in recipes:
            with self.subTest(heading), contextlib.redirect_stdout(io.StringIO()):
                names = {}
                exec(beginning, names)
                exec(compile(code, heading, "exec"), names)

    def test_the_readme_runs(self):
        for heading, code in blocks("bindings/python/README.md"):
            with self.subTest(heading), contextlib.redirect_stdout(io.StringIO()):
                messages = [{"role": "user", "content": "Hello"}]
                exec(compile(code, heading, "exec"), {"messages": messages})


if __name__ == "__main__":
    unittest.main()
