"""A tool server made with the Python SDK, for tests: `server.py stdio` or `server.py http`, which prints its port.

It speaks both 2025-11-25 and 2026-07-28.
"""

import json
import os
import socket
import subprocess
import sys

import anyio
import uvicorn
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp_types import CallToolResult, ImageContent, TextContent, ToolAnnotations

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

server = MCPServer("python", log_level="ERROR")


def said(text: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(text=text)])


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
async def echo(text: str = "", number: float | None = None) -> CallToolResult:
    """Says what it is told."""
    return said(text if number is None else f"{text} {number}")


@server.tool()
async def slow(seconds: float, ctx: Context, steps: int = 2) -> CallToolResult:
    """Sleeps, and says how far it is."""
    for step in range(steps):
        await ctx.report_progress(step + 1, steps, f"step {step + 1}")
        await anyio.sleep(seconds / steps)
    return said("slept")


@server.tool()
async def fail() -> CallToolResult:
    """Says that it failed."""
    return CallToolResult(content=[TextContent(text="it broke")], is_error=True)


@server.tool()
async def crash(file: str = "") -> CallToolResult:
    """Ends the server in the middle of a call."""
    note(file)
    print("about to crash", file=sys.stderr, flush=True)
    os._exit(3)


@server.tool()
async def big(bytes: int) -> CallToolResult:
    """Says much."""
    return said("".join(f"line {n}\n" for n in range(bytes // 5))[:bytes])


@server.tool()
async def picture() -> CallToolResult:
    """Shows a picture between two texts."""
    return CallToolResult(
        content=[TextContent(text="before"), ImageContent(data=PNG, mime_type="image/png"), TextContent(text="after")]
    )


@server.tool()
async def structured() -> CallToolResult:
    """Says something that is not text."""
    return CallToolResult(content=[], structured_content={"answer": 42})


@server.tool()
async def counter(file: str) -> CallToolResult:
    """Adds a line to a file."""
    note(file)
    return said("counted")


def note(file: str) -> None:
    if file:
        with open(file, "a") as lines:
            lines.write("x\n")


@server.tool()
async def env() -> CallToolResult:
    """Names the environment variables it sees."""
    return said(json.dumps(sorted(os.environ)))


@server.tool()
async def spawn() -> CallToolResult:
    """Starts another process and says its id."""
    return said(str(subprocess.Popen(["sleep", "600"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL).pid))


inside = 0
all_inside = anyio.Event()


@server.tool()
async def meet(parties: int, after: float = 0) -> CallToolResult:
    """Answers, after a while, when so many calls are inside at once."""
    global inside
    inside += 1
    if inside == parties:
        all_inside.set()
    await all_inside.wait()
    await anyio.sleep(after)
    return said(f"{after}")


@server.tool()
async def change(ctx: Context) -> CallToolResult:
    """Changes what it says of echo."""
    server.remove_tool("echo")
    server.add_tool(echo, description="Says what it is told, and tells it to others.")
    await ctx.notify_tools_changed()
    await ctx.session.send_tool_list_changed()
    return said("changed")


async def http() -> None:
    listener = socket.create_server(("127.0.0.1", int(os.environ.get("PORT", "0"))))
    print(listener.getsockname()[1], flush=True)
    config = uvicorn.Config(server.streamable_http_app(), log_level="error")
    await uvicorn.Server(config).serve(sockets=[listener])


if sys.argv[1] == "http":
    anyio.run(http)
else:
    anyio.run(server.run_stdio_async)
