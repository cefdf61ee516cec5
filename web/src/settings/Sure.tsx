/** Asks before something that cannot be taken back. */
import type { ReactNode } from "react";
import { Button } from "../ui/controls";
import { Dialog } from "../ui/overlay";

interface SureProps {
  title: string;
  children: ReactNode;
  act: string;
  go: () => void;
  close: () => void;
}

export function Sure({ title, children, act, go, close }: SureProps) {
  return (
    <Dialog
      title={title}
      close={close}
      footer={
        <>
          <Button onClick={close}>Keep it</Button>
          <Button
            look="danger"
            onClick={() => {
              close();
              go();
            }}
          >
            {act}
          </Button>
        </>
      }
    >
      <p>{children}</p>
    </Dialog>
  );
}
