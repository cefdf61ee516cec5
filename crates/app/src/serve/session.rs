//! Ways in: links that are good once, sessions, tokens.

use super::house::House;
use super::web::{Code, Problem};
use super::who::{COOKIE, hash, new_secret};
use weftwork::model::{Entity, EntityId, EntityKind};
use weftwork_gateway::{BadName, new_name};
use weftwork_store::{Accepted, NewPass, PassKind, Role, Scopes};

const DAY: i64 = 24 * 60 * 60 * 1000;
/// How long a session lasts.
pub(super) const SESSION: i64 = 90 * DAY;
/// How long the link to the first owner is good.
const FIRST_LINK: i64 = DAY;

impl House {
    /// Where the page is.
    pub(super) fn origin(&self) -> String {
        match &self.settings.public {
            Some(public) => public.origin(),
            None => format!("http://{}", self.settings.bind),
        }
    }

    /// A link for somebody to come in with.
    pub(super) fn link(&self, secret: &str) -> String {
        format!("{}/join/{secret}", self.origin())
    }

    /// The cookie of a session.
    pub(super) fn cookie(&self, secret: &str) -> String {
        let secure = if self.settings.is_secure() { "; Secure" } else { "" };
        format!("{COOKIE}={secret}; Path=/; HttpOnly; SameSite=Lax; Max-Age={}{secure}", SESSION / 1000)
    }

    /// The cookie that ends one.
    pub(super) fn no_cookie(&self) -> String {
        let secure = if self.settings.is_secure() { "; Secure" } else { "" };
        format!("{COOKIE}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0{secure}")
    }

    /// Accepts an invitation; gives the secret of the new session.
    pub(super) async fn join(&self, invitation: &str, name: Option<&str>) -> Result<(Accepted, String), Problem> {
        let (invited, now) = (hash(invitation), self.gateway.now());
        let found = self.stored(move |store| store.pass(&invited, Some(PassKind::Invitation), now)).await?;
        let found = found.ok_or_else(used_up)?;
        let name = match (&found.entity, name) {
            // Somebody who is known signs in again.
            (Some(_), _) => String::from("known"),
            (None, Some(name)) => self.name(name, &[EntityKind::Human, EntityKind::Agent]).await?,
            (None, None) => return Err(Problem::bad("name", "say what you are called")),
        };
        let secret = new_secret(PassKind::Session)?;
        let session = NewPass {
            name: "a browser".into(),
            // Nobody lets in somebody who may do more than they.
            scopes: found.scopes,
            expires_at: Some(now + SESSION),
            ..NewPass::new(PassKind::Session, hash(&secret))
        };
        let person = Entity::new(new_id("person")?, name, EntityKind::Human);
        let accepted = self.stored(move |store| store.accept_invitation(&invited, &person, &session, now)).await?;
        Ok((accepted.ok_or_else(used_up)?, secret))
    }

    /// A name that nobody of these kinds can be mistaken for.
    pub(super) async fn name(&self, name: &str, among: &'static [EntityKind]) -> Result<String, Problem> {
        let name = name.to_owned();
        let checked = self
            .stored(move |store| {
                let mut taken = Vec::new();
                for kind in among {
                    taken.extend(store.entities(*kind)?);
                }
                Ok(new_name(&name, &taken))
            })
            .await?;
        checked.map_err(|error| match error {
            // Whose name it is is none of a newcomer's business.
            BadName::Taken { .. } => Problem::bad("name", "somebody here is called so, or nearly so: choose another name"),
            error => Problem::bad("name", error.to_string()),
        })
    }

    /// A session of somebody who is let in without a link: the person of the demo.
    pub(super) async fn sit_down(&self, entity: EntityId, role: Role) -> Result<String, Problem> {
        let (secret, now) = (new_secret(PassKind::Session)?, self.gateway.now());
        let session = NewPass {
            entity: Some(entity.clone()),
            name: "the demo".into(),
            scopes: Scopes::ALL,
            expires_at: Some(now + SESSION),
            ..NewPass::new(PassKind::Session, hash(&secret))
        };
        self.stored(move |store| {
            if store.account(&entity)?.is_none() {
                store.put_account(&entity, role, now)?;
            }
            store.put_pass(&session, now)
        })
        .await?;
        Ok(secret)
    }
}

/// Why a link opens nothing.
pub(super) fn used_up() -> Problem {
    Problem::new(Code::Gone, "this link was used, has expired, or never was: ask for a new one")
}

/// The link that makes the first owner, while there is none. An older one is good no longer.
pub(super) async fn first_link(house: &House) -> Result<Option<String>, Problem> {
    let (secret, now) = (new_secret(PassKind::Invitation)?, house.gateway.now());
    let invitation = NewPass {
        name: "the first owner".into(),
        scopes: Scopes::ALL,
        role: Some(Role::Owner),
        expires_at: Some(now + FIRST_LINK),
        ..NewPass::new(PassKind::Invitation, hash(&secret))
    };
    let made = house.stored(move |store| {
        if store.has_owner()? {
            return Ok(false);
        }
        for old in store.open_invitations(None, now)?.iter().filter(|old| old.role == Some(Role::Owner)) {
            store.revoke_pass(&old.id, None, now)?;
        }
        store.put_pass(&invitation, now).map(|_| true)
    });
    Ok(made.await?.then(|| house.link(&secret)))
}

/// A new id.
pub(super) fn new_id(kind: &str) -> Result<String, Problem> {
    let mut bytes = [0u8; 8];
    getrandom::fill(&mut bytes).map_err(|error| Problem::internal(&error))?;
    Ok(format!("{kind}-{:016x}", u64::from_be_bytes(bytes)))
}
