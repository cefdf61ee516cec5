/** The door: whoever is signed in goes through; in the demo one is signed in by oneself. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { told } from "../api/client";
import type { Me } from "../api/types";
import { follow, leave } from "../live/house";
import { keepFor } from "../shell/kept";
import { MeProvider } from "../shell/me";
import { Button, Empty, FaultBox, Spinner } from "../ui/controls";
import { ME, type Out, onRefused, session, shut, whoAmI, whyOut } from "./session";
import "./door.css";

export function Door({ children }: { children: (me: Me) => ReactNode }) {
  const queries = useQueryClient();
  const {
    data: me,
    error,
    isPending,
    isFetching,
    refetch,
  } = useQuery({ queryKey: ME, queryFn: whoAmI, staleTime: Number.POSITIVE_INFINITY });
  const id = me?.me.id;
  if (id) keepFor(id);
  useEffect(() => {
    if (!id) return;
    const apart = alone(id);
    const refused = () => shut(queries, "ended");
    follow(refused);
    const off = onRefused(refused);
    return () => {
      off();
      apart();
      leave();
    };
  }, [id, queries]);
  if (isPending) return <Opening />;
  if (error) {
    return (
      <main className="door">
        <h1>Weft</h1>
        <FaultBox text={told(error)} again={() => void refetch()} />
      </main>
    );
  }
  if (!me) return <Closed again={() => void refetch()} busy={isFetching} />;
  return <MeProvider value={me}>{children(me)}</MeProvider>;
}

let before: string | null = null;

/**
 * A browser is one person at a time. Who comes after another begins with nothing of theirs, and other tabs, whose requests would
 * now be somebody else's, begin anew.
 */
function alone(id: string): () => void {
  if (before && before !== id) location.reload();
  before = id;
  const channel = new BroadcastChannel("weft-person");
  channel.onmessage = ({ data }) => {
    if (data !== id) location.reload();
  };
  channel.postMessage(id);
  return () => channel.close();
}

function Opening() {
  return (
    <main className="door">
      <Spinner label="Opening Weft" />
    </main>
  );
}

const TITLES: Record<Out, string> = {
  stranger: "You are not signed in in this browser",
  ended: "Your session has ended",
  left: "You have signed out",
};

function Closed({ again, busy }: { again: () => void; busy: boolean }) {
  const queries = useQueryClient();
  const why = whyOut();
  // A link that is opened in another tab signs this one in, too.
  useEffect(() => {
    const look = () =>
      void session()
        .then((me) => me && queries.setQueryData(ME, me))
        .catch(() => {});
    window.addEventListener("focus", look);
    return () => window.removeEventListener("focus", look);
  }, [queries]);
  return (
    <main className="door">
      <h1>Weft</h1>
      <Empty
        title={TITLES[why]}
        action={
          <Button onClick={again} disabled={busy}>
            Try again
          </Button>
        }
      >
        {why === "ended" && "When you come in again, you are in the same place. "}
        People come in by a link. If you run this server, the first link was printed when it started, and{" "}
        <code>weft token link YOUR-NAME</code> makes another. If somebody else does, ask them for an invitation.
      </Empty>
    </main>
  );
}
