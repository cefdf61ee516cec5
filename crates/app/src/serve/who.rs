//! Who asks: a session's cookie or a token, and an entity behind each. Nothing else opens a door.

use super::house::House;
use super::web::{Code, Problem};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::request::Parts;
use http::{HeaderMap, Method, header};
use sha2::{Digest, Sha256};
use weftwork::model::{EntityId, EntityKind};
use weftwork_store::{Pass, PassKind, Role, Scopes};

/// The session's cookie.
pub(super) const COOKIE: &str = "weft_session";

/// What stands for those who are nobody here.
pub(super) const NOBODY: &str = "nobody";

/// What a route needs of whoever asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// Nothing: health, and the ways in.
    Nobody,
    /// To look.
    Read,
    /// To change something, as a person.
    Write,
    /// To do the runs of an agent that lives elsewhere.
    Act,
    /// To ask models on the owner's keys.
    Models,
    /// To be an owner.
    Owner,
}

/// Who asks.
#[derive(Clone, Debug)]
pub(super) struct Who {
    entity: EntityId,
    kind: EntityKind,
    role: Option<Role>,
    scopes: Scopes,
    pass: Option<Pass>,
    /// What they showed, as it is kept.
    shown: [u8; 32],
}

impl Who {
    fn nobody() -> Who {
        let (entity, kind) = (EntityId::from(NOBODY), EntityKind::Service);
        Who { entity, kind, role: None, scopes: Scopes::NONE, pass: None, shown: [0; 32] }
    }

    /// The entity that acts.
    pub(super) fn entity(&self) -> &EntityId {
        &self.entity
    }

    /// The session or the token it came with.
    pub(super) fn pass(&self) -> Option<&str> {
        self.pass.as_ref().map(|pass| pass.id.as_str())
    }

    /// Whether a program asks, with a token.
    pub(super) fn is_program(&self) -> bool {
        self.pass.as_ref().is_some_and(|pass| pass.kind == PassKind::Token)
    }

    /// When what they came with opens nothing any more.
    pub(super) fn ends(&self) -> Option<i64> {
        self.pass.as_ref().and_then(|pass| pass.expires_at)
    }

    pub(super) fn role(&self) -> Option<Role> {
        self.role
    }

    pub(super) fn scopes(&self) -> Scopes {
        self.scopes
    }

    /// Whether it may do what owners do.
    pub(super) fn is_owner(&self) -> bool {
        self.role == Some(Role::Owner) && self.scopes.has(Scopes::ADMIN)
    }

    /// Whether it may do this.
    pub(super) fn may(&self, need: Need) -> bool {
        match need {
            Need::Nobody => true,
            Need::Read => self.scopes.has(Scopes::READ),
            Need::Write => self.scopes.has(Scopes::WRITE) && self.kind != EntityKind::Agent,
            Need::Act => self.scopes.has(Scopes::WRITE),
            Need::Models => self.scopes.has(Scopes::MODELS),
            Need::Owner => self.is_owner(),
        }
    }
}

/// What somebody shows at the door.
pub(super) enum Shown {
    /// A token, or at `/v1` a provider's own key.
    Token(String),
    Session(String),
    Nothing,
}

/// What somebody shows at the door. A token wins: a program that has one means it.
pub(super) fn shown(headers: &HeaderMap) -> Shown {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let bearer = text("authorization").and_then(|value| {
        let (scheme, token) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| token.trim().to_owned())
    });
    if let Some(token) = bearer.or_else(|| text("x-api-key").map(|key| key.trim().to_owned())) {
        return Shown::Token(token);
    }
    match cookie(headers, COOKIE) {
        Some(session) => Shown::Session(session),
        None => Shown::Nothing,
    }
}

fn cookie(headers: &HeaderMap, name: &str) -> Option<String> {
    let all = headers.get_all(header::COOKIE);
    let mut pairs = all.iter().filter_map(|value| value.to_str().ok()).flat_map(|text| text.split(';'));
    pairs.find_map(|pair| pair.trim().strip_prefix(name)?.strip_prefix('=').map(str::to_owned))
}

/// What is kept of a secret.
pub(crate) fn hash(secret: &str) -> [u8; 32] {
    Sha256::digest(secret.as_bytes()).into()
}

/// A new secret of 256 random bits, which begins with what it is.
pub(crate) fn new_secret(kind: PassKind) -> Result<String, getrandom::Error> {
    let mut bytes = [0u8; 32];
    getrandom::fill(&mut bytes)?;
    let prefix = match kind {
        PassKind::Session => "wfs_",
        PassKind::Token => "wft_",
        PassKind::Invitation => "wfi_",
    };
    Ok(format!("{prefix}{}", URL_SAFE_NO_PAD.encode(bytes)))
}

impl House {
    /// Lets somebody in who may do this, or says why not.
    pub(super) async fn admit(&self, parts: &Parts, need: Need) -> Result<Who, Problem> {
        if need == Need::Nobody {
            return Ok(Who::nobody());
        }
        let who = match shown(&parts.headers) {
            Shown::Token(token) => self.known(&token, PassKind::Token).await?,
            Shown::Session(session) => {
                let who = self.known(&session, PassKind::Session).await?;
                if who.is_some() {
                    self.check_origin(parts)?;
                }
                who
            }
            Shown::Nothing => None,
        };
        let who = who.ok_or_else(|| {
            Problem::new(Code::NotSignedIn, "sign in, or send a token as Authorization: Bearer TOKEN (weft token new NAME)")
        })?;
        self.limits.admit(who.entity())?;
        if who.may(need) {
            return Ok(who);
        }
        match need {
            // What only owners have does not exist for others.
            Need::Owner if who.role != Some(Role::Owner) => Err(Problem::not_found()),
            // Else nothing would bound what it says, and where.
            Need::Write if who.kind == EntityKind::Agent => {
                Err(Problem::new(Code::NotAllowed, "an agent acts in its runs: take one with POST /api/runs/take"))
            }
            _ => Err(Problem::new(Code::NotAllowed, "this token does not have the scope for this: make one that has")),
        }
    }

    /// Whoever a secret belongs to.
    pub(super) async fn known(&self, secret: &str, kind: PassKind) -> Result<Option<Who>, Problem> {
        let (hash, now) = (hash(secret), self.gateway.now());
        if kind == PassKind::Token && self.neighbour == Some(hash) {
            return self.owner_next_door(hash).await.map(Some);
        }
        let found = self
            .stored(move |store| {
                let Some(pass) = store.pass(&hash, Some(kind), now)? else { return Ok(None) };
                store.use_pass(&pass, now)?;
                let Some(entity) = &pass.entity else { return Ok(None) };
                let kind = store.entity(entity)?.kind;
                let (entity, role, scopes) = (entity.clone(), pass.role, pass.scopes);
                Ok(Some(Who { entity, kind, role, scopes, pass: Some(pass), shown: hash }))
            })
            .await?;
        Ok(found)
    }

    /// The owner, for the user of this machine, who could as well open the file. Of several the first one.
    async fn owner_next_door(&self, shown: [u8; 32]) -> Result<Who, Problem> {
        let owner = self.stored(|store| {
            let accounts = store.accounts()?.into_iter();
            let owner = accounts.into_iter().find(|account| account.role == Role::Owner && account.closed_at.is_none());
            owner.map(|owner| Ok((store.entity(&owner.entity)?.kind, owner.entity))).transpose()
        });
        let nobody = "nobody has an account here yet: open the link that weft serve printed, and try again";
        let (kind, entity) = owner.await?.ok_or_else(|| Problem::new(Code::Conflict, nobody))?;
        Ok(Who { entity, kind, role: Some(Role::Owner), scopes: Scopes::ALL, pass: None, shown })
    }

    /// Whether what somebody came with still opens the door: it may have been revoked, or their account closed.
    pub(super) async fn still_knows(&self, who: &Who) -> bool {
        let (hash, now) = (who.shown, self.gateway.now());
        if self.neighbour == Some(hash) {
            return true;
        }
        let kind = who.pass.as_ref().map(|pass| pass.kind);
        self.stored(move |store| store.pass(&hash, kind, now)).await.is_ok_and(|pass| pass.is_some())
    }

    /// A cookie is sent by the browser whoever asks for it, so a change must come from a page of our own.
    fn check_origin(&self, parts: &Parts) -> Result<(), Problem> {
        if matches!(parts.method, Method::GET | Method::HEAD) {
            return Ok(());
        }
        let origin = parts.headers.get(header::ORIGIN).and_then(|origin| origin.to_str().ok());
        if origin.is_some_and(|origin| self.is_own_origin(origin, &parts.headers)) {
            return Ok(());
        }
        Err(Problem::new(Code::NotAllowed, "a session may change things from our own page only; programs use a token"))
    }
}
