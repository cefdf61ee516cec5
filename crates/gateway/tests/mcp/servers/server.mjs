// A tool server made with the first TypeScript SDK, for tests: `server.mjs stdio` or `server.mjs http`, which prints its
// port. It speaks 2025-11-25, over HTTP with sessions, and lists its tools in pages.

import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { call, list, listen, load } from "./tools.mjs";

const { Server } = await load("@modelcontextprotocol/sdk/server/index.js");
const { StdioServerTransport } = await load("@modelcontextprotocol/sdk/server/stdio.js");
const { StreamableHTTPServerTransport } = await load("@modelcontextprotocol/sdk/server/streamableHttp.js");
const types = await load("@modelcontextprotocol/sdk/types.js");

const servers = new Set();

async function changed() {
  for (const server of servers) await server.sendToolListChanged().catch(() => {});
}

function make() {
  const server = new Server({ name: "node", version: "1" }, { capabilities: { tools: { listChanged: true } } });
  server.setRequestHandler(types.ListToolsRequestSchema, ({ params }) => list(params?.cursor));
  server.setRequestHandler(types.CallToolRequestSchema, ({ params }, extra) => {
    const progressToken = params._meta?.progressToken;
    const tell = (params) =>
      extra.sendNotification({ method: "notifications/progress", params: { progressToken, ...params } });
    return call(params, { tell, changed });
  });
  servers.add(server);
  return server;
}

const sessions = new Map();

async function answer(request, response) {
  const known = sessions.get(request.headers["mcp-session-id"]);
  if (known) return known.handleRequest(request, response);
  if (request.headers["mcp-session-id"]) return response.writeHead(404).end();
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => sessions.set(id, transport),
  });
  await make().connect(transport);
  await transport.handleRequest(request, response);
}

if (process.argv[2] === "http") {
  listen(createServer(answer));
} else {
  await make().connect(new StdioServerTransport());
}
