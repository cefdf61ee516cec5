/** Conversations from elsewhere: looked at first, then taken in, with all that is lost told before. */
import { useEffect, useState } from "react";
import { usePlace } from "../shell/title";
import { Button } from "../ui/controls";
import { count } from "../ui/numbers";
import { add, clear, takeIn, useFiles } from "./files";
import { OneFile } from "./OneFile";
import { FORMATS, LARGEST, size } from "./words";
import "./moving.css";

export function Page() {
  usePlace("Import");
  const files = useFiles();
  const busy = files.some((one) => one.state === "looking" || one.state === "taking" || one.state === "waits");
  // Other places of the page may be gone to meanwhile; closing it would cut a file off.
  useEffect(() => {
    if (!busy) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [busy]);
  const ready = files.filter((one) => one.state === "looked");
  const conversations = ready.reduce((sum, one) => sum + (one.came?.spaces.length ?? 0), 0);
  return (
    <div className="page">
      <header>
        <h1 className="grow">Import</h1>
        {files.length > 0 && <Button onClick={clear}>{busy ? "Stop and clear" : "Clear"}</Button>}
      </header>
      <Drop small={files.length > 0} />
      {files.length > 0 && (
        <ul className="files" aria-label="Files">
          {files.map((one) => (
            <OneFile key={one.id} one={one} />
          ))}
        </ul>
      )}
      {ready.length > 0 && (
        <div className="take-in">
          <span className="grow small">Nothing is kept yet.</span>
          <Button look="main" disabled={busy} onClick={() => void takeIn()}>
            Take in {count(conversations, "conversation")}
          </Button>
        </div>
      )}
      <Hints />
    </div>
  );
}

function Drop({ small }: { small: boolean }) {
  const [over, setOver] = useState(false);
  return (
    <section
      className={`drop ${over ? "over" : ""} ${small ? "small-drop" : ""}`}
      aria-label="Files to take in"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        add(event.dataTransfer.files);
      }}
    >
      {!small && <strong>Drop an export here</strong>}
      <label className="button main">
        Choose files
        <input
          type="file"
          multiple
          className="unseen"
          onChange={(event) => {
            add(event.target.files ?? []);
            event.target.value = "";
          }}
        />
      </label>
      <span className="soft small">
        Zip archives as they came, JSON, JSON Lines; several at once; up to {size(LARGEST)} each. They are only looked
        at until you say so.
      </span>
    </section>
  );
}

function Hints() {
  return (
    <section className="soft small stack" aria-label="Formats">
      <p>Known: {Object.values(FORMATS).join(", ")}.</p>
      <p>
        The way out: each space's menu has it as a file, and <code>weft export --all --out DIR</code> on the server
        writes everything.
      </p>
    </section>
  );
}
