import { useState } from "react";
import { Dialog } from "../ui/overlay";
import { letters, useAllKeys } from "./keys";

/** All keys that act here. */
export function Keys({ close }: { close: () => void }) {
  const keys = useAllKeys();
  const [on, setOn] = useState(letters.on());
  const shown = new Map(keys.filter((key) => key.key !== "").map((key) => [`${key.key}${key.says}`, key]));
  return (
    <Dialog title="Keys" close={close}>
      <table>
        <tbody>
          {[...shown.values()].map((key) => (
            <tr key={key.key + key.says}>
              <td>
                <kbd>{key.key.replaceAll("+", " ").replace("Arrow", "")}</kbd>
              </td>
              <td>{key.says}</td>
            </tr>
          ))}
          <tr>
            <td>
              <kbd>Enter</kbd> <kbd>Shift Enter</kbd>
            </td>
            <td>Send, new line</td>
          </tr>
        </tbody>
      </table>
      <label className="row">
        <input
          type="checkbox"
          checked={on}
          onChange={(event) => {
            letters.set(event.target.checked);
            setOn(event.target.checked);
          }}
        />
        Single letters act outside fields
      </label>
    </Dialog>
  );
}
