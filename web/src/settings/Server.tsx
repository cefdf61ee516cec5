/** The server itself, and what is done beside it. */
import { isOwner, useMe } from "../shell/me";
import { Copy } from "./Copy";

export function Server() {
  const me = useMe();
  return (
    <>
      <section className="card" aria-label="Version">
        <p>
          Weft {me.version}
          {me.demo && ", as a demo: a small world in a file of its own"}
        </p>
        <p>
          The API: <a href="/api/docs">to read</a>, <a href="/api/openapi.json">for programs</a>
        </p>
      </section>
      <section className="card" aria-label="Clients">
        <h2>OpenAI and Anthropic clients</h2>
        <p className="soft small">
          Point them at this server, with a token as their key. What they send is fitted, kept and reported on.
        </p>
        <Copy label="For OpenAI clients" text={`OPENAI_BASE_URL=${location.origin}/v1`} />
        <Copy label="For Anthropic clients" text={`ANTHROPIC_BASE_URL=${location.origin}`} />
      </section>
      {isOwner(me) && (
        <section className="card" aria-label="Running it">
          <h2>Running it</h2>
          <p className="small">
            <code>weft backup FILE</code> copies the database while it is used; with PostgreSQL, <code>pg_dump</code>.
            Keep the seal, too: without it, keys in the database cannot be opened.
          </p>
          <p className="small">
            <code>weft export --all --out DIR</code> takes everything out as files.
          </p>
          <p className="small">
            <code>/metrics</code> has numbers for Prometheus, for tokens of owners. <code>/healthz</code> says that it
            lives, <code>/readyz</code> that it can work.
          </p>
        </section>
      )}
    </>
  );
}
