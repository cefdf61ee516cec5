/** Which model replies, and how it samples: beside the field, where one notices that it matters. */
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { api, done } from "../api/client";
import { useOpened } from "./context";
import { useHow } from "./how";
import { useModel } from "./models";
import { useTalking } from "./talking";

const SamplerDialog = lazy(() => import("./SamplerDialog").then((module) => ({ default: module.SamplerDialog })));

export function Sampler() {
  const { room, agent } = useTalking();
  const { state } = useOpened();
  const [open, setOpen] = useState(false);
  const how = useHow(room.id);
  const wrote = state.nodes.findLast((one) => one.node.model)?.node.model;
  const model = useModel(how.model ?? agent?.model, wrote);
  const known = useQuery({
    queryKey: ["agents", agent?.id],
    queryFn: () => done(api.GET("/api/agents/{agent}", { params: { path: { agent: agent?.id ?? "" } } })),
    enabled: agent !== null,
  });
  if (!agent) return null;
  const sampling = { ...known.data?.sampling, ...how.sampling };
  const warm = sampling.temperature;
  return (
    <>
      <button
        type="button"
        className="button quiet sampler"
        title="Model and sampling"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <span className="cut">{model?.id ?? how.model ?? agent.model ?? "the server's model"}</span>
        {warm !== null && warm !== undefined && <span className="soft small">t {warm}</span>}
        <span aria-hidden="true">▾</span>
      </button>
      {open && (
        <Suspense>
          <SamplerDialog agent={agent} known={known.data ?? null} close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
