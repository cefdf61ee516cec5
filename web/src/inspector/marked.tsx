/** The node that is marked: chosen in one tab, shown in another. */
import { createContext, useContext } from "react";

export type Marked = [string | null, (node: string | null) => void];
const Context = createContext<Marked>([null, () => {}]);
export const MarkedProvider = Context.Provider;
export const useMarked = () => useContext(Context);
