/**
 * Calls a person who looks elsewhere: a browser's notification when a run begins to wait for them or something unread
 * comes, and a mark on the tab's icon. Only with their leave, only from the one tab that keeps the account's stream.
 */
import { useRouter } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useEntityName } from "../agents/names";
import type { Run, SpaceCard } from "../api/types";
import { isKeeper, onChange } from "../live/house";
import { stands } from "../runs/words";
import { keep, kept } from "./kept";
import { useMe } from "./me";
import { begun, grew } from "./news";
import { markTab } from "./title";

/** Whether somebody wants to be called, and the browser lets us. */
export const calling = {
  possible: () => "Notification" in window,
  refused: () => "Notification" in window && Notification.permission === "denied",
  on: () => kept("calls") === "on" && "Notification" in window && Notification.permission === "granted",
  /** Asks the browser for leave; whether it was given. */
  async set(on: boolean): Promise<boolean> {
    const given = on && "Notification" in window && (await Notification.requestPermission()) === "granted";
    keep("calls", given ? "on" : "off");
    return given;
  },
};

function call(title: string, body: string, tag: string, go: () => void) {
  if (!calling.on() || !document.hidden || !isKeeper()) return;
  try {
    const shown = new Notification(title, { body, tag, icon: "/icon.svg" });
    shown.onclick = () => {
      window.focus();
      go();
      shown.close();
    };
  } catch {
    // Some browsers let only a service worker call; then the mark on the tab must do.
  }
}

export function useCalling(waiting: Run[], ready: boolean) {
  const { history } = useRouter();
  const nameOf = useEntityName();
  const { me } = useMe();
  const before = useRef<Set<string> | null>(null);
  const cards = useRef(new Map<string, SpaceCard>());
  useEffect(() => {
    if (!ready) return;
    for (const run of begun(before.current, waiting)) {
      const card = cards.current.get(run.space ?? "");
      const isReply = run.status === "waiting_reply" && card !== undefined;
      const address = isReply ? `/s/${encodeURIComponent(card.id)}` : `/runs/${run.id}`;
      const asked = isReply && card.lastMessage?.author === run.agent ? `: ${card.lastMessage.text}` : "";
      const title = `${nameOf(run.agent)}${card ? ` in ${card.name || "Unnamed"}` : ""}`;
      // The same tag as that of the space's news: what it asked and that it waits is one call, not two.
      call(title, stands(run).words + asked, isReply ? card.id : run.id, () => history.push(address));
    }
    before.current = new Set(waiting.map((run) => run.id));
  }, [waiting, ready, nameOf, history]);
  useEffect(() => {
    return onChange((card: SpaceCard) => {
      const last = card.lastMessage;
      if (grew(cards.current.get(card.id)?.unread, card.unread) && last && last.author !== me.id) {
        const mentioned = last.text.toLowerCase().includes(`@${me.name.toLowerCase()}`);
        const title = `${nameOf(last.author)} in ${card.name || "Unnamed"}${mentioned ? ": you are mentioned" : ""}`;
        call(title, last.text, card.id, () => history.push(`/s/${encodeURIComponent(card.id)}`));
      }
      cards.current.set(card.id, card);
    });
  }, [me, nameOf, history]);
  useEffect(() => markTab(waiting.length > 0), [waiting.length]);
}
