/** A place could not be drawn. The rest of the page goes on. */
import { told } from "../api/client";
import { Button, Empty } from "../ui/controls";

export function Broken({ error, reset }: { error: unknown; reset: () => void }) {
  return (
    <Empty
      title="This could not be shown"
      action={
        <Button look="main" onClick={reset}>
          Try again
        </Button>
      }
    >
      {told(error)} Nothing of yours is lost: what was said is on the server.
    </Empty>
  );
}
