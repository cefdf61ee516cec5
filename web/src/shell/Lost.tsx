import { Link } from "@tanstack/react-router";
import { Empty } from "../ui/controls";

/** There is nothing at this address. */
export function Lost() {
  return (
    <main>
      <Empty title="There is nothing here" action={<Link to="/">To the start</Link>}>
        It was never here, or you may not see it.
      </Empty>
    </main>
  );
}
