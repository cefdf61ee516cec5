/** Asks before what is not saved is left behind. */
import { useBlocker } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { Button } from "../ui/controls";
import { Dialog } from "../ui/overlay";

/** Which parts of a page hold something unsaved. */
export function useUnsaved(): [boolean, (part: string, unsaved: boolean) => void] {
  const [parts, setParts] = useState<readonly string[]>([]);
  const mark = useCallback((part: string, unsaved: boolean) => {
    setParts((before) => {
      if (before.includes(part) === unsaved) return before;
      return unsaved ? [...before, part] : before.filter((one) => one !== part);
    });
  }, []);
  return [parts.length > 0, mark];
}

export function Guard({ unsaved }: { unsaved: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => unsaved,
    enableBeforeUnload: unsaved,
    withResolver: true,
  });
  if (status !== "blocked") return null;
  return (
    <Dialog
      title="Leave without saving?"
      close={reset}
      footer={
        <>
          <Button look="danger" onClick={proceed}>
            Leave
          </Button>
          <Button look="main" onClick={reset}>
            Stay
          </Button>
        </>
      }
    >
      <p>What you changed here is not saved.</p>
    </Dialog>
  );
}
