/** A link that lets one person into this space, once. */
import { NewInvitation } from "../settings/NewInvitation";
import { useTalking } from "./talking";

export function Invite({ close }: { close: () => void }) {
  const { room } = useTalking();
  return <NewInvitation into={room.id} close={close} />;
}
