/** How a space is: whom a message wakes, what models are told, how requests are made. What is empty is the server's choice. */
import { useState } from "react";
import { api, asProblem, done, type Problem } from "../api/client";
import type { Settings } from "../api/types";
import { Button, Field } from "../ui/controls";
import { Dialog } from "../ui/overlay";
import { say } from "../ui/toasts";
import { useOpened } from "./context";
import { CHOICES, type Named, NUMBERS } from "./settingNames";

export function SpaceSettings({ close }: { close: () => void }) {
  const { room, state } = useOpened();
  const space = state.space;
  const [wake, setWake] = useState(space?.wake ?? "all");
  const [confidential, setConfidential] = useState(space?.confidential ?? false);
  const [context, setContext] = useState(space?.systemContext ?? "");
  const [settings, setSettings] = useState<Settings>(space?.settings ?? {});
  const [fault, setFault] = useState<Problem | null>(null);
  const set = (name: Named, value: unknown) => setSettings({ ...settings, [name]: value });
  const save = async () => {
    const given = Object.fromEntries(
      Object.entries(settings).filter(([, value]) => value !== null && value !== undefined && value !== ""),
    );
    try {
      await done(
        api.PATCH("/api/spaces/{space}", {
          params: { path: { space: room.id } },
          body: { wake, confidential, systemContext: context, settings: given as Settings },
        }),
      );
      say("Saved.");
      close();
    } catch (problem) {
      setFault(asProblem(problem));
    }
  };
  const faultAt = (name: string) => (fault?.at === name || fault?.at === `settings.${name}` ? fault.detail : null);
  return (
    <Dialog
      title="Settings of this space"
      wide
      close={close}
      submit={() => void save()}
      footer={
        <Button look="main" type="submit">
          Save
        </Button>
      }
    >
      <div className="numbers two">
        <Field label="A message wakes">
          {(props) => (
            <select
              {...props}
              className="input"
              value={wake}
              onChange={(event) => setWake(event.target.value as typeof wake)}
            >
              <option value="all">every agent here</option>
              <option value="mentioned">agents that are named behind an @</option>
            </select>
          )}
        </Field>
        <label className="row">
          <input type="checkbox" checked={confidential} onChange={(event) => setConfidential(event.target.checked)} />
          Confidential: agents repeat nothing of it where others read
        </label>
      </div>
      <Field label="What models are told here" hint="After the agent's own prompt." fault={faultAt("systemContext")}>
        {(props) => (
          <textarea
            {...props}
            className="input"
            rows={3}
            value={context}
            onChange={(event) => setContext(event.target.value)}
          />
        )}
      </Field>
      <h3>How requests are made</h3>
      <div className="numbers two">
        {CHOICES.map(({ name, label, options }) => (
          <Field key={name} label={label} fault={faultAt(name)}>
            {(props) => (
              <select
                {...props}
                className="input"
                value={String(settings[name] ?? "")}
                onChange={(event) => set(name, parsed(event.target.value))}
              >
                <option value="">as the server has it</option>
                {options.map((one) => (
                  <option key={one.value} value={one.value}>
                    {one.says}
                  </option>
                ))}
              </select>
            )}
          </Field>
        ))}
        {NUMBERS.map(({ name, label, hint, step }) => (
          <Field key={name} label={label} hint={hint} fault={faultAt(name)}>
            {(props) => (
              <input
                {...props}
                className="input"
                type="number"
                min={0}
                step={step}
                placeholder="—"
                value={String(settings[name] ?? "")}
                onChange={(event) => set(name, event.target.value === "" ? null : Number(event.target.value))}
              />
            )}
          </Field>
        ))}
      </div>
      {fault && !fault.at && <p role="alert">{fault.detail}</p>}
    </Dialog>
  );
}

const parsed = (value: string) => (value === "true" ? true : value === "false" ? false : value === "" ? null : value);
