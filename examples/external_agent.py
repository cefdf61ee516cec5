"""An agent of your own for Weft, in the Python standard library.

    weft agents add Remote --external --space alpha
    weft agents work Remote --once -- python3 examples/external_agent.py

Weft starts this program for each run, and both talk in lines of JSON over standard input and output. This one asks
something, waits, and thanks whoever answers. What it prints on standard error is shown, and is the reason if it fails.
"""

import json
import re
import sys


def texts(value):
    """All texts in a request, whatever API it is made for."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from texts(inner)


def call(number, name, **arguments):
    """Does one of the tools of the run. The same id in one run is done once, also if this program dies and is started again."""
    print(json.dumps({"type": "call", "id": str(number), "name": name, "arguments": arguments}), flush=True)
    return json.loads(sys.stdin.readline())


run = json.loads(sys.stdin.readline())  # {"type": "run", "runId": …, "request": …, "tools": […]}
seen = "\n".join(texts(run["request"]))  # what a model would be sent
by = re.search(r"\(this run\) — triggered by (.+?)(?: in |$)", seen, re.MULTILINE)
who = by.group(1) if by else "you"

if "Continue this run." in seen:
    # Somebody replied: the run goes on, in a new process.
    answer = call(1, "send_message", text=f"Thanks, {who}.")
else:
    answer = call(1, "send_message", text="Which one?", wait=True)

if answer["type"] == "waits":
    sys.exit()  # Weft starts the program again when the run goes on.
if answer["isError"]:
    print(json.dumps({"type": "fail", "why": answer["text"]}))
else:
    print(json.dumps({"type": "end"}))
