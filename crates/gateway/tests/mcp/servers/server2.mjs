// A tool server made with the second TypeScript SDK, for tests: `server2.mjs stdio` or `server2.mjs http`, which prints its
// port. It speaks 2026-07-28, and lists its tools in pages.

import { createServer } from "node:http";
import { call, list, listen, load } from "./tools.mjs";

const { Server, createMcpHandler } = await load("@modelcontextprotocol/server");
const { serveStdio } = await load("@modelcontextprotocol/server/stdio");
const { toNodeHandler } = await load("@modelcontextprotocol/node");

let handler;

function make() {
  const server = new Server({ name: "node2", version: "1" }, { capabilities: { tools: { listChanged: true } } });
  const changed = () => (handler ? handler.notify.toolsChanged() : server.sendToolListChanged());
  server.setRequestHandler("tools/list", ({ params }) => list(params?.cursor));
  server.setRequestHandler("tools/call", ({ params }, context) => {
    const progressToken = context.mcpReq._meta?.progressToken;
    const tell = (params) => context.mcpReq.notify({ method: "notifications/progress", params: { progressToken, ...params } });
    return call(params, { tell, changed });
  });
  return server;
}

if (process.argv[2] === "http") {
  handler = createMcpHandler(make, { legacy: "reject" });
  listen(createServer(toNodeHandler(handler)));
} else {
  serveStdio(make);
}
