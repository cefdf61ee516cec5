/**
 * Replies as they are written, apart from everything else: a reply that grows by a word re-renders itself and nothing beside it.
 */
import { useSyncExternalStore } from "react";

export interface Draft {
  text: string;
  reasoning: string;
}

const EMPTY: Draft = { text: "", reasoning: "" };
const utf8 = new TextEncoder();

export class Drafts {
  private readonly drafts = new Map<string, Draft>();
  private readonly bytes = new Map<string, number>();
  private readonly heard = new Map<string, Set<() => void>>();
  private readonly changed = new Set<string>();
  private frame = 0;

  of = (node: string): Draft => this.drafts.get(node) ?? EMPTY;

  subscribe(node: string, tell: () => void): () => void {
    const all = this.heard.get(node) ?? new Set();
    this.heard.set(node, all.add(tell));
    return () => all.delete(tell);
  }

  /** All that was written so far. */
  set(node: string, text: string) {
    this.drafts.set(node, { text, reasoning: "" });
    this.bytes.set(node, utf8.encode(text).length);
    this.tell(node);
  }

  /** More of it; `at` is how many bytes there were before, so what was heard twice is known. */
  add(node: string, what: string, at: number, text: string) {
    const draft = this.of(node);
    if (what !== "text") {
      this.drafts.set(node, { ...draft, reasoning: draft.reasoning + text });
    } else {
      const have = this.bytes.get(node) ?? 0;
      if (at < have) return;
      this.drafts.set(node, { ...draft, text: draft.text + text });
      this.bytes.set(node, have + utf8.encode(text).length);
    }
    this.tell(node);
  }

  end(node: string) {
    this.drafts.delete(node);
    this.bytes.delete(node);
    this.tell(node);
  }

  clear() {
    for (const node of [...this.drafts.keys()]) this.end(node);
  }

  /** Words come faster than screens are drawn: one telling a frame is enough. */
  private tell(node: string) {
    this.changed.add(node);
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      const changed = [...this.changed];
      this.changed.clear();
      for (const one of changed) for (const tell of this.heard.get(one) ?? []) tell();
    });
  }
}

/** The words of a reply so far. */
export function useDraft(drafts: Drafts, node: string): Draft {
  return useSyncExternalStore(
    (tell) => drafts.subscribe(node, tell),
    () => drafts.of(node),
  );
}
