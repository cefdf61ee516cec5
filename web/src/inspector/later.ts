/** A value that settles: what is typed is not asked for letter by letter. */
import { useEffect, useState } from "react";

export function useLater<T>(value: T, ms: number): T {
  const [later, set] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => set(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return later;
}
