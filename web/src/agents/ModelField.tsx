/** A model: one of those that are known, or any other by its name. */
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { api, done } from "../api/client";
import { Field } from "../ui/controls";
import { compact } from "../ui/numbers";

export function useModels() {
  return useQuery({ queryKey: ["models"], queryFn: () => done(api.GET("/api/models")), staleTime: 60_000 });
}

interface ModelFieldProps {
  value: string;
  change: (model: string) => void;
  fault?: string | null;
}

export function ModelField({ value, change, fault }: ModelFieldProps) {
  const list = useId();
  const models = useModels().data?.models ?? [];
  const known = models.find((one) => one.id === value || one.id.endsWith(`/${value}`));
  const window = known?.contextLength ? `A window of ${compact(known.contextLength)} tokens.` : "As provider/model.";
  return (
    <Field label="Model" hint={value ? window : "Empty: the server's own."} fault={fault}>
      {(props) => (
        <>
          <input
            {...props}
            className="input"
            list={list}
            value={value}
            maxLength={200}
            spellCheck={false}
            autoComplete="off"
            placeholder="The server's own"
            onChange={(event) => change(event.target.value)}
          />
          <datalist id={list}>
            {models.map((one) => (
              <option key={one.id} value={one.id} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
