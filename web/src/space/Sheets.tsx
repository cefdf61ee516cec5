/** The dialogs of a space, loaded when they are opened. */
import { lazy, Suspense } from "react";

export type Sheet = "members" | "invite" | "settings" | "export" | "leave";

const MembersSheet = lazy(() => import("./MembersSheet").then((module) => ({ default: module.MembersSheet })));
const Invite = lazy(() => import("./Invite").then((module) => ({ default: module.Invite })));
const SpaceSettings = lazy(() => import("./SpaceSettings").then((module) => ({ default: module.SpaceSettings })));
const Export = lazy(() => import("./Leaving").then((module) => ({ default: module.Export })));
const Leave = lazy(() => import("./Leaving").then((module) => ({ default: module.Leave })));

const SHEETS = { members: MembersSheet, invite: Invite, settings: SpaceSettings, export: Export, leave: Leave };

export function Sheets({ sheet, close }: { sheet: Sheet; close: () => void }) {
  const Shown = SHEETS[sheet];
  return (
    <Suspense>
      <Shown close={close} />
    </Suspense>
  );
}
