/** Which call made which message, and what it cost. Calls are read newest first, and further back as older messages are seen. */
import { useEffect, useSyncExternalStore } from "react";
import { api, done } from "../api/client";
import type { CallRecord, Node } from "../api/types";

const PAGE = 200;
/** A call is recorded a moment after its reply: so long is waited, so often. */
const WAIT = 700;
const TRIES = 4;

class Ledger {
  private readonly byNode = new Map<string, CallRecord>();
  private readonly listeners = new Set<() => void>();
  private readonly tries = new Map<string, number>();
  private next: string | null | undefined;
  private reading: Promise<void> | null = null;

  constructor(private readonly space: string) {}

  of = (node: string) => this.byNode.get(node) ?? null;

  subscribe = (tell: () => void) => {
    this.listeners.add(tell);
    return () => this.listeners.delete(tell);
  };

  /** Looks for the call of a node: among the newest, then further back. */
  want(node: string, newest: boolean) {
    const tried = this.tries.get(node) ?? 0;
    if (this.byNode.has(node) || tried >= TRIES) return;
    this.tries.set(node, tried + 1);
    this.reading ??= this.read(newest || this.next === undefined ? undefined : this.next).finally(() => {
      this.reading = null;
    });
    void this.reading.then(() => {
      if (!this.byNode.has(node) && (newest || this.next)) setTimeout(() => this.want(node, newest), WAIT);
    });
  }

  private async read(after: string | null | undefined) {
    if (after === null) return;
    const query = { limit: PAGE, ...(after ? { after } : {}) };
    const page = await done(
      api.GET("/api/spaces/{space}/calls", { params: { path: { space: this.space }, query } }),
    ).catch(() => null);
    if (!page) return;
    if (after || this.next === undefined) this.next = page.next ?? null;
    for (const call of page.calls) if (call.node && call.outcome) this.byNode.set(call.node, call);
    for (const tell of this.listeners) tell();
  }
}

const ledgers = new Map<string, Ledger>();

export function ledgerOf(space: string): Ledger {
  const found = ledgers.get(space) ?? new Ledger(space);
  ledgers.set(space, found);
  return found;
}

const FRESH = 60_000;

/** The call that made a node. */
export function useCall(space: string, node: Node): CallRecord | null {
  const ledger = ledgerOf(space);
  const made = node.model !== undefined && node.model !== null && node.status !== "pending";
  useEffect(() => {
    if (made) ledger.want(node.id, Date.now() - Date.parse(node.createdAt ?? "") < FRESH);
  }, [ledger, made, node.id, node.createdAt]);
  return useSyncExternalStore(ledger.subscribe, () => ledger.of(node.id));
}
