//! Tools against real servers, made with the reference SDKs for Python and TypeScript: over stdio and HTTP, in both
//! families of the protocol. `scripts/mcp-servers.sh` installs them; without them these tests fail.

mod answers;
mod bench;
mod decisions;
mod life;
mod listing;
mod rounds;
