/** The models that can be asked. */
import { useQuery } from "@tanstack/react-query";
import { api, done } from "../api/client";
import { modelNamed } from "./prices";

export const useModels = () =>
  useQuery({ queryKey: ["models"], queryFn: () => done(api.GET("/api/models")), staleTime: 60_000 }).data?.models ?? [];

export const useModel = (name?: string | null, wrote?: string | null) => modelNamed(useModels(), name, wrote);
