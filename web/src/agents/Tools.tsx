/** What an agent's runs are given to do, where it is from, and when it may run. An owner decides about tools of servers. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, done, told } from "../api/client";
import type { Agent } from "../api/types";
import { isOwner, useMe } from "../shell/me";
import { FaultBox, Spinner } from "../ui/controls";
import { count } from "../ui/numbers";
import { OneTool } from "./OneTool";
import { grouped, type Tool, type ToolServer } from "./toolWords";

/** With more than so many one looks for a name. */
const MANY = 14;

export function Tools({ agent }: { agent: Agent }) {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["agents", agent.id, "tools"],
    queryFn: ({ signal }) =>
      done(api.GET("/api/agents/{agent}/tools", { params: { path: { agent: agent.id } }, signal })),
  });
  return (
    <section className="card" aria-label="Tools">
      <h2>Tools</h2>
      <p className="soft small">
        {agent.external
          ? "What the program that does its runs can do here. It has tools of its own besides."
          : "What its runs are given. What is decided about a tool of a server holds for every agent."}
      </p>
      {error && <FaultBox text={told(error)} again={() => void refetch()} />}
      {isPending && <Spinner label="Asking the servers of tools" />}
      {data?.servers.map((server) => (
        <Lacking key={server.name} server={server} />
      ))}
      {data && <Listed agent={agent} tools={data.tools} lacking={data.servers.length > 0} />}
    </section>
  );
}

function Listed({ agent, tools, lacking }: { agent: Agent; tools: Tool[]; lacking: boolean }) {
  const [asked, setAsked] = useState("");
  const owner = isOwner(useMe());
  const words = asked.trim().toLowerCase();
  const found = tools.filter((tool) => `${tool.name} ${tool.description}`.toLowerCase().includes(words));
  const groups = grouped(found);
  return (
    <>
      {tools.length > MANY && (
        <input
          className="input narrow"
          type="search"
          aria-label="Find a tool"
          placeholder="Find a tool…"
          value={asked}
          onChange={(event) => setAsked(event.target.value)}
        />
      )}
      {words && found.length === 0 && <p className="soft">No tool is like that.</p>}
      {groups.map(({ name, tools }) => (
        <div key={name} className="given-group">
          <h3>
            {name}{" "}
            <span className="soft small">
              {count(tools.length, "tool")}
              {tools.every((tool) => tool.from !== "server") && ", without asking"}
            </span>
          </h3>
          <ul className="givens">
            {tools.map((tool) => (
              <OneTool key={tool.name} agent={agent.id} tool={tool} owner={owner} />
            ))}
          </ul>
        </div>
      ))}
      {!agent.external && !words && !lacking && tools.every((tool) => tool.from !== "server") && (
        <p className="soft small">
          No tools of servers yet. {owner ? "Name" : "An owner names"} an MCP server in the configuration, as{" "}
          <code>[mcp.NAME]</code>, and its tools stand here.
        </p>
      )}
    </>
  );
}

/** A server that gives less than it has. */
function Lacking({ server }: { server: ToolServer }) {
  if (!server.reached) {
    return (
      <p className="given-fault small" role="status">
        <span aria-hidden="true">▲ </span>
        {server.name} cannot be reached, so none of its tools are given{server.why ? `: ${server.why}` : "."}
      </p>
    );
  }
  return (
    <details className="small">
      <summary>
        {count(server.leftOut.length, "tool")} of {server.name} cannot be used
      </summary>
      <ul>
        {server.leftOut.map((left) => (
          <li key={left.name}>
            <code>{left.name}</code>: {left.why}
          </li>
        ))}
      </ul>
    </details>
  );
}
