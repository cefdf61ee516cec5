/** Who is signed in. */
import { createContext, useContext } from "react";
import type { Me } from "../api/types";

const Context = createContext<Me | null>(null);
export const MeProvider = Context.Provider;

/** Who is signed in; only below the door. */
export function useMe(): Me {
  const me = useContext(Context);
  if (!me) throw new Error("nobody is signed in here");
  return me;
}

export const isOwner = (me: Me) => me.role === "owner" && me.scopes.includes("admin");
