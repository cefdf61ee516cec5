/**
 * Server-sent events that come back by themselves.
 *
 * A browser gives a host six connections, shared by all tabs: a tab that nobody sees lets its stream go and resumes where it
 * was (`Last-Event-ID`) when it is seen again.
 */

/** How a stream stands. */
export type Link = "connecting" | "live" | "lost";

type Hear = Record<string, (data: never, id: string) => void>;

export interface StreamOptions {
  /** The address; `after` is the number of the last event that was heard. */
  address: (after: string | null) => string;
  hear: Hear;
  link: (link: Link) => void;
  /** Asked when the server refused: whether to try on. */
  refused: () => Promise<boolean>;
  /** From where to begin. */
  after?: string | null;
  /** Whether it stays when nobody sees the tab. */
  unseen?: () => boolean;
}

const LEAST_WAIT = 500;
const MOST_WAIT = 10_000;
/** A tab that is left for a moment keeps its stream. */
const GRACE = 15_000;

export class Stream {
  private source: EventSource | null = null;
  private after: string | null;
  private wait = LEAST_WAIT;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private over = false;

  constructor(private readonly options: StreamOptions) {
    this.after = options.after ?? null;
    document.addEventListener("visibilitychange", this.seen);
    window.addEventListener("online", this.online);
    this.open();
  }

  close() {
    this.over = true;
    this.drop();
    document.removeEventListener("visibilitychange", this.seen);
    window.removeEventListener("online", this.online);
  }

  private drop() {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
  }

  private readonly online = () => {
    this.wait = LEAST_WAIT;
    if (!this.source) this.open();
  };

  /** Nobody sees the tab, and it is not the one that stays. */
  private get rests() {
    return document.hidden && !this.options.unseen?.();
  }

  private readonly seen = () => {
    if (this.rests) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.drop(), GRACE);
    } else this.wake();
  };

  /** Comes back, if it had let go. */
  wake() {
    clearTimeout(this.timer);
    if (!this.source) this.open();
  }

  private open() {
    this.drop();
    if (this.over) return;
    this.options.link("connecting");
    const source = new EventSource(this.options.address(this.after));
    this.source = source;
    source.onopen = () => {
      this.wait = LEAST_WAIT;
      this.options.link("live");
    };
    source.onerror = () => {
      this.options.link("lost");
      // The browser tries again by itself unless it was refused.
      if (source.readyState === EventSource.CLOSED) void this.again();
    };
    for (const [name, heard] of Object.entries(this.options.hear)) {
      source.addEventListener(name, (event) => {
        if (event.lastEventId) this.after = event.lastEventId;
        heard(JSON.parse(event.data) as never, event.lastEventId);
      });
    }
  }

  private async again() {
    this.drop();
    const go = await this.options.refused().catch(() => true);
    if (!go || this.over || this.rests) return;
    this.timer = setTimeout(() => this.open(), this.wait * (0.75 + Math.random() / 2));
    this.wait = Math.min(this.wait * 2, MOST_WAIT);
  }
}
