/** What an agent remembers. */
import { api, done, type Schemas } from "../api/client";
import { Mind } from "./Mind";

type Memory = Schemas["Memory"];

export function Memories({ agent, mark }: { agent: string; mark: (part: string, unsaved: boolean) => void }) {
  const params = { path: { agent } };
  return (
    <Mind<Memory>
      title="Memories"
      says="What it chose to remember, wherever it is. It adds to them by itself."
      part="memories"
      queryKey={["agents", agent, "memories"]}
      load={async () => (await done(api.GET("/api/agents/{agent}/memories", { params }))).memories}
      save={async (memories) =>
        (await done(api.PUT("/api/agents/{agent}/memories", { params, body: { memories } }))).memories
      }
      fresh={() => ({ topic: "", text: "" })}
      isWhole={(memory) => memory.topic.trim() !== "" && memory.text.trim() !== ""}
      add="Add a memory"
      mark={mark}
    >
      {(memory, change) => (
        <>
          <input
            className="input topic"
            aria-label="Topic"
            placeholder="Topic"
            maxLength={200}
            value={memory.topic}
            onChange={(event) => change({ topic: event.target.value })}
          />
          <textarea
            className="input"
            aria-label="What is remembered"
            placeholder="What is remembered"
            rows={1}
            maxLength={2000}
            value={memory.text}
            onChange={(event) => change({ text: event.target.value })}
          />
        </>
      )}
    </Mind>
  );
}
