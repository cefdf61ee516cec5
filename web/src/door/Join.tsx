/** A link that somebody was given: a name, and they are in. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { api, asProblem, done, Problem, told } from "../api/client";
import { Button, Empty, Field } from "../ui/controls";
import { ME, session, wayBack } from "./session";
import "./door.css";

export function Join() {
  const { secret } = useParams({ from: "/join/$secret" });
  const navigate = useNavigate();
  const { history } = useRouter();
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [fault, setFault] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const already = useQuery({ queryKey: ["already"], queryFn: session, retry: false, staleTime: 0 }).data;
  // Looking at a link does not use it up.
  const invited = useQuery({
    queryKey: ["invited", secret],
    queryFn: () => done(api.POST("/api/session/invitation", { body: { invitation: secret } })),
    retry: false,
  });
  const join = async () => {
    setBusy(true);
    setFault(null);
    try {
      const body = { invitation: secret, ...(name.trim() ? { name: name.trim() } : {}) };
      const me = await done(api.POST("/api/session", { body }));
      queries.clear();
      queries.setQueryData(ME, me);
      const back = wayBack();
      if (me.space) await navigate({ to: "/s/$space", params: { space: me.space }, replace: true });
      else if (back) history.replace(back);
      else await navigate({ to: "/", replace: true });
    } catch (problem) {
      setFault(asProblem(problem));
    } finally {
      setBusy(false);
    }
  };
  const gone = invited.error instanceof Problem && invited.error.status === 410;
  if (gone || fault?.status === 410) return <UsedUp signedIn={already?.me.name} />;
  const aboutName = fault?.at === "name" ? fault.detail : null;
  return (
    <main className="door">
      <h1>Welcome to Weft</h1>
      {invited.data?.space && (
        <p>
          You are invited to <strong>{invited.data.space}</strong>.
        </p>
      )}
      {already && (
        <p className="door-note">
          You are signed in here as {already.me.name}. With this link you come in as whoever it is for.{" "}
          <Link to="/">Stay as you are</Link>
        </p>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void join();
        }}
      >
        {!invited.data?.known && (
          <Field label="What are you called?" hint="Others see this name." fault={aboutName}>
            {(props) => (
              <input
                {...props}
                // biome-ignore lint/a11y/noAutofocus: there is one thing to do here
                autoFocus
                className="input"
                value={name}
                maxLength={64}
                autoComplete="nickname"
                onChange={(event) => setName(event.target.value)}
              />
            )}
          </Field>
        )}
        {fault && !aboutName && <p role="alert">{told(fault)}</p>}
        <Button look="main" type="submit" disabled={busy}>
          Come in
        </Button>
      </form>
    </main>
  );
}

/** A link is good once. */
function UsedUp({ signedIn }: { signedIn?: string }) {
  return (
    <main className="door">
      <h1>Weft</h1>
      <Empty
        title="This link opens nothing any more"
        action={
          <Link className="button main" to="/">
            {signedIn ? `Go on as ${signedIn}` : "See whether you are in"}
          </Link>
        }
      >
        A link is good once, and for a while. If you used it in this browser you are in already. If you used it in
        another one, or never, ask whoever sent it for a new one; on the server <code>weft token link YOUR-NAME</code>{" "}
        makes one.
      </Empty>
    </main>
  );
}
