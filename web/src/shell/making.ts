/** Asking for a new space from anywhere in the page. */
import { createContext, useContext } from "react";
import type { Kind } from "./NewSpace";

const Context = createContext<(kind?: Kind) => void>(() => {});
export const MakingProvider = Context.Provider;

/** Opens the dialog for a new space. */
export const useMakeSpace = () => useContext(Context);
