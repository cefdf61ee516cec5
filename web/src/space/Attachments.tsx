/** What goes along with the next message: chosen, pasted or dropped. */
import { useRef, useState } from "react";
import type { Part } from "../api/types";
import { Icon, Spinner } from "../ui/controls";
import { complain } from "../ui/toasts";
import { MOST, partOf, weight } from "./attach";

interface Attached {
  name: string;
  part: Part;
}

export function useAttachments() {
  const [all, setAll] = useState<Attached[]>([]);
  const [reading, setReading] = useState(0);
  const [over, setOver] = useState(false);
  const held = useRef(all);
  held.current = all;
  const add = async (files: Iterable<File>) => {
    for (const file of files) {
      setReading((count) => count + 1);
      try {
        const part = await partOf(file);
        const next = [...held.current, { name: file.name, part }];
        if (weight(next.map((one) => one.part)) > MOST) {
          throw new Error(
            `With ${file.name} the message would be too large: 640 kB is the most for all files together.`,
          );
        }
        held.current = next;
        setAll(next);
      } catch (fault) {
        complain(fault);
      } finally {
        setReading((count) => count - 1);
      }
    }
  };
  const choose = () => {
    const input = document.createElement("input");
    input.type = "file";
    input.multiple = true;
    input.onchange = () => void add(input.files ?? []);
    input.click();
  };
  return {
    all,
    parts: all.map((one) => one.part),
    reading: reading > 0,
    over,
    choose,
    clear: () => setAll([]),
    drop1: (at: number) => setAll(all.filter((_, index) => index !== at)),
    paste: (event: React.ClipboardEvent) => {
      const { files } = event.clipboardData;
      if (files.length === 0) return;
      event.preventDefault();
      void add(files);
    },
    drop: {
      onDragOver: (event: React.DragEvent) => {
        if (!event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: () => setOver(false),
      onDrop: (event: React.DragEvent) => {
        event.preventDefault();
        setOver(false);
        void add(event.dataTransfer.files);
      },
    },
  };
}

export function Attachments({ attachments }: { attachments: ReturnType<typeof useAttachments> }) {
  const { all, reading, over, drop1 } = attachments;
  if (all.length === 0 && !reading && !over) return null;
  return (
    <ul className="attachments" aria-label="Attached">
      {all.map(({ name, part }, at) => (
        <li key={at} className="chip">
          {part.type === "image" && "data" in part ? (
            <img src={`data:${part.mediaType};base64,${part.data}`} alt="" />
          ) : (
            <span aria-hidden="true">📎</span>
          )}
          <span className="cut">{name}</span>
          <Icon label={`Leave ${name} out`} onClick={() => drop1(at)}>
            ✕
          </Icon>
        </li>
      ))}
      {reading && (
        <li>
          <Spinner label="Reading the file" />
        </li>
      )}
      {over && <li className="soft">Drop it here</li>}
    </ul>
  );
}
