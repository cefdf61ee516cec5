//! Who may sign in, with what, and who comes first through a door that opens once.

use crate::on_both;
use crate::racing::{at_once, others};
use crate::support::{ent, entity, team};
use weftwork::model::{Entity, EntityKind, SpaceId};
use weftwork_store::{NewPass, PassKind, Role, Scopes, Store, StoreError};

const MINUTE: i64 = 60_000;

fn pass(kind: PassKind, secret: u8, entity: Option<&str>) -> NewPass {
    let (entity, scopes) = (entity.map(ent), Scopes::READ | Scopes::MODELS);
    NewPass { entity, name: format!("pass {secret}"), scopes, ..NewPass::new(kind, [secret; 32]) }
}

fn session(secret: u8, entity: &str) -> NewPass {
    pass(PassKind::Session, secret, Some(entity))
}

fn invitation(secret: u8) -> NewPass {
    NewPass { made_by: Some(ent("husam")), ..pass(PassKind::Invitation, secret, None) }
}

/// A team whose Husam is an owner.
fn owned(store: &Store, now: i64) -> SpaceId {
    let space = team(store);
    store.put_account(&ent("husam"), Role::Owner, now).unwrap();
    space
}

fn is_live(store: &Store, secret: u8, now: i64) -> bool {
    store.pass(&[secret; 32], None, now).unwrap().is_some()
}

on_both! {
    fn an_account_has_a_role_and_there_is_always_an_owner(store: &Fresh) {
        team(store);
        assert!(!store.has_owner().unwrap() && store.account(&ent("husam")).unwrap().is_none());
        store.put_account(&ent("husam"), Role::Owner, NOW).unwrap();
        store.put_account(&ent("analyst"), Role::Member, NOW + 1).unwrap();
        let last = [store.close_account(&ent("husam"), NOW).err(), store.put_account(&ent("husam"), Role::Member, NOW).err()];
        assert!(last.iter().all(|error| matches!(error, Some(StoreError::LastOwner { .. }))), "{last:?}");
        store.put_account(&ent("sarah"), Role::Owner, NOW + 2).unwrap();
        assert!(store.close_account(&ent("husam"), NOW + 3).unwrap() && !store.close_account(&ent("husam"), NOW + 4).unwrap());
        let all: Vec<_> = store.accounts().unwrap().into_iter().map(|it| (it.entity.to_string(), it.role, it.closed_at)).collect();
        let member = ("analyst".to_owned(), Role::Member, None);
        assert_eq!(all, [("husam".into(), Role::Owner, Some(NOW + 3)), member, ("sarah".into(), Role::Owner, None)]);
        store.put_account(&ent("husam"), Role::Member, NOW + 5).unwrap();
        let again = store.account(&ent("husam")).unwrap().unwrap();
        assert_eq!((again.role, again.created_at, again.closed_at), (Role::Member, NOW, None));
        let nobody = store.put_account(&ent("nobody"), Role::Member, NOW);
        assert!(matches!(nobody, Err(StoreError::NoEntity { .. })), "{nobody:?}");
    }

    fn two_owners_who_leave_at_once_leave_one(store: &Fresh) {
        owned(store, NOW);
        let others = others(store);
        let stores: Vec<&Store> = std::iter::once(&**store).chain(&others).collect();
        for round in 0..10 {
            for name in ["husam", "sarah"] {
                store.put_account(&ent(name), Role::Owner, NOW + round).unwrap();
            }
            let done = at_once(&stores, 2, |at, store| store.close_account(&ent(["husam", "sarah"][at]), NOW));
            assert_eq!(done.iter().filter(|done| matches!(done, Ok(true))).count(), 1, "{done:?}");
            assert!(done.iter().any(|done| matches!(done, Err(StoreError::LastOwner { .. }))), "{done:?}");
        }
    }

    fn a_pass_opens_until_it_expires_is_revoked_or_its_account_is_closed(store: &Fresh) {
        owned(store, NOW);
        store.put_account(&ent("sarah"), Role::Member, NOW).unwrap();
        let made = store.put_pass(&NewPass { expires_at: Some(NOW + 10), ..session(1, "sarah") }, NOW).unwrap();
        store.put_pass(&pass(PassKind::Token, 2, Some("sarah")), NOW).unwrap();
        let found = store.pass(&[1; 32], Some(PassKind::Session), NOW + 9).unwrap().unwrap();
        assert_eq!((&found, found.role, found.scopes.has(Scopes::WRITE)), (&made, Some(Role::Member), false));
        assert_eq!(store.pass(&[1; 32], Some(PassKind::Token), NOW).unwrap(), None, "a session is no token");
        assert!(!is_live(store, 1, NOW + 10) && is_live(store, 2, NOW + 10) && !is_live(store, 3, NOW));
        let token = store.passes(&ent("sarah"), PassKind::Token).unwrap().pop().unwrap();
        assert!(!store.revoke_pass(&token.id, Some(&ent("husam")), NOW).unwrap(), "it is not his");
        assert!(is_live(store, 2, NOW));
        assert!(store.revoke_pass(&token.id, Some(&ent("sarah")), NOW).unwrap());
        assert!(!store.revoke_pass(&token.id, None, NOW).unwrap() && !is_live(store, 2, NOW));
        store.put_pass(&session(4, "sarah"), NOW).unwrap();
        store.put_pass(&NewPass { made_by: Some(ent("sarah")), ..invitation(5) }, NOW).unwrap();
        assert!(store.close_account(&ent("sarah"), NOW).unwrap());
        store.put_account(&ent("sarah"), Role::Member, NOW).unwrap();
        assert!(!is_live(store, 4, NOW) && !is_live(store, 5, NOW), "what was revoked stays so");
    }

    fn a_pass_of_nobody_is_refused_and_so_is_a_second_of_one_secret(store: &Fresh) {
        owned(store, NOW);
        store.put_pass(&session(1, "husam"), NOW).unwrap();
        let refused = [
            store.put_pass(&session(1, "husam"), NOW).unwrap_err().to_string(),
            store.put_pass(&session(2, "sarah"), NOW).unwrap_err().to_string(),
            store.put_pass(&pass(PassKind::Token, 2, None), NOW).unwrap_err().to_string(),
            store.put_pass(&session(2, "nobody"), NOW).unwrap_err().to_string(),
        ];
        let expected = ["there is a pass", "\"sarah\" has no account", "a session or a token needs", "there is no entity"];
        assert!(refused.iter().zip(expected).all(|(refused, expected)| refused.starts_with(expected)), "{refused:?}");
        assert!(!format!("{:?}", session(7, "husam")).contains('7'), "no hash is shown");
    }

    fn using_a_pass_is_written_down_once_a_minute(store: &Fresh) {
        owned(store, NOW);
        store.put_pass(&session(1, "husam"), NOW).unwrap();
        let used = || store.pass(&[1; 32], None, NOW).unwrap().unwrap();
        for (at, expected) in [(0, 0), (MINUTE - 1, 0), (MINUTE, MINUTE), (MINUTE + 1, MINUTE)] {
            store.use_pass(&used(), NOW + at).unwrap();
            assert_eq!(used().used_at, Some(NOW + expected), "{at}");
        }
        // Whoever looked before another did writes nothing over it.
        let stale = used();
        store.use_pass(&stale, NOW + 5 * MINUTE).unwrap();
        store.use_pass(&stale, NOW + 5 * MINUTE + 1).unwrap();
        assert_eq!(used().used_at, Some(NOW + 5 * MINUTE));
    }

    fn an_invitation_makes_somebody_new_and_leads_them_into_a_space(store: &Fresh) {
        let space = owned(store, NOW);
        let given = NewPass { space: Some(space.clone()), role: Some(Role::Owner), expires_at: Some(NOW + 9), ..invitation(1) };
        store.put_pass(&given, NOW).unwrap();
        assert_eq!(store.open_invitations(Some(&ent("husam")), NOW).unwrap().len(), 1);
        assert_eq!((store.open_invitations(Some(&ent("sarah")), NOW).unwrap(), store.open_invitations(None, NOW + 9).unwrap()), (vec![], vec![]));
        let mira = entity("mira", EntityKind::Human);
        let accept = |person: &Entity, secret: u8, now| store.accept_invitation(&[1; 32], person, &NewPass { entity: None, ..session(secret, "") }, now);
        assert_eq!(accept(&mira, 2, NOW + 9).unwrap(), None, "it has expired");
        let thief = accept(&entity("sarah", EntityKind::Human), 2, NOW + 1);
        assert!(matches!(thief, Err(StoreError::Taken { what: "entity", .. })), "{thief:?}");
        assert!(is_live(store, 1, NOW), "it stays good");
        let accepted = accept(&mira, 2, NOW + 2).unwrap().unwrap();
        assert_eq!((&accepted.entity, &accepted.space), (&mira.id, &Some(space.clone())));
        assert_eq!(store.pass(&[2; 32], Some(PassKind::Session), NOW).unwrap(), Some(accepted.session));
        assert!(store.is_member(&space, &mira.id).unwrap());
        assert_eq!((store.account(&mira.id).unwrap().unwrap().role, store.entity(&mira.id).unwrap()), (Role::Owner, mira.clone()));
        assert_eq!(accept(&entity("late", EntityKind::Human), 3, NOW + 3).unwrap(), None);
        assert!(store.entity(&ent("late")).is_err() && !is_live(store, 3, NOW));
    }

    fn a_link_of_ones_own_signs_in_and_changes_nothing_else(store: &Fresh) {
        owned(store, NOW);
        let link = NewPass { role: Some(Role::Member), ..pass(PassKind::Invitation, 1, Some("husam")) };
        store.put_pass(&link, NOW).unwrap();
        let other = entity("other", EntityKind::Human);
        let accepted = store.accept_invitation(&[1; 32], &other, &session(2, "other"), NOW).unwrap().unwrap();
        assert_eq!((accepted.entity.as_str(), accepted.session.entity), ("husam", Some(ent("husam"))));
        assert_eq!(store.account(&ent("husam")).unwrap().unwrap().role, Role::Owner);
        assert!(store.entity(&ent("other")).is_err());
        store.put_account(&ent("sarah"), Role::Owner, NOW).unwrap();
        store.put_pass(&NewPass { hash: [3; 32], ..link }, NOW).unwrap();
        store.close_account(&ent("husam"), NOW).unwrap();
        assert_eq!(store.accept_invitation(&[3; 32], &other, &session(4, "other"), NOW).unwrap(), None);
    }

    fn of_all_who_accept_an_invitation_at_once_one_comes_in(store: &Fresh) {
        let space = owned(store, NOW);
        let others = others(store);
        let stores: Vec<&Store> = std::iter::once(&**store).chain(&others).collect();
        for round in 0..10_u8 {
            store.put_pass(&NewPass { space: Some(space.clone()), ..invitation(round) }, NOW).unwrap();
            let done = at_once(&stores, 4, |at, store| {
                let id = format!("p{round}-{at}");
                let own = session(100 + round * 10 + at as u8, &id);
                store.accept_invitation(&[round; 32], &entity(&id, EntityKind::Human), &own, NOW).unwrap()
            });
            assert_eq!(done.iter().flatten().count(), 1, "{done:?}");
        }
        assert_eq!(store.accounts().unwrap().len(), 11);
        assert_eq!(store.members(&space).unwrap().len(), 13);
    }
}
