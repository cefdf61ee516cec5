/** What two paths share: folded, because it is the same. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { told } from "../api/client";
import { Button, FaultBox, Spinner } from "../ui/controls";
import { count } from "../ui/numbers";
import { Said } from "./Column";
import type { Look } from "./paint";
import { stretchOf } from "./stretch";

const SHOWN = 100;

interface Props {
  space: string;
  at: string | null;
  amount: number;
  looks: (author: string) => Look;
}

export function InCommon({ space, at, amount, looks }: Props) {
  const [open, setOpen] = useState(false);
  const asked = useQuery({
    queryKey: ["stretch", space, at, "common"],
    queryFn: () => stretchOf(space, at ?? "", Math.min(SHOWN, amount)),
    enabled: open && at !== null,
  });
  if (!at) return <p className="soft beside-common">Nothing in common: they part at the very beginning.</p>;
  return (
    <section className="beside-common" aria-label="In common">
      <Button look="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? "▾" : "▸"} {count(amount, "message")} in common
      </Button>
      {open && asked.isPending && <Spinner />}
      {open && asked.isError && <FaultBox text={told(asked.error)} again={() => void asked.refetch()} />}
      {open && amount > SHOWN && <p className="soft small">The last {SHOWN} of them:</p>}
      {open && asked.data?.map((said) => <Said key={said.node.id} said={said} look={looks(said.node.author)} />)}
    </section>
  );
}
