-- Who may sign in.
CREATE TABLE accounts(
    entity INTEGER NOT NULL PRIMARY KEY REFERENCES entities(no),
    role INTEGER NOT NULL,                              -- 0 owner, 1 member
    created_at INTEGER NOT NULL,
    closed_at INTEGER
) STRICT;

-- What opens a door: sessions, tokens, invitations. Only hashes are kept.
CREATE TABLE passes(
    no INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE CHECK(length(id) BETWEEN 1 AND 200),
    kind INTEGER NOT NULL,                              -- 0 session, 1 token, 2 invitation
    hash BLOB NOT NULL UNIQUE CHECK(length(hash) = 32), -- SHA-256 of the secret
    entity INTEGER REFERENCES entities(no),             -- who is behind it; none for an invitation of somebody new
    name TEXT NOT NULL,
    scopes INTEGER NOT NULL,                            -- bits: 1 read, 2 write, 4 models, 8 admin
    space INTEGER REFERENCES spaces(no),                -- where an invitation leads
    role INTEGER,                                       -- of the account that an invitation gives
    made_by INTEGER REFERENCES entities(no),
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    used_at INTEGER,                                    -- an invitation is used once
    revoked_at INTEGER,
    CHECK(kind = 2 OR entity IS NOT NULL)
) STRICT;
CREATE INDEX passes_entity ON passes(entity, kind);
CREATE INDEX passes_made_by ON passes(made_by) WHERE kind = 2;

-- Requests under an idempotency key, and their answers, for good. The table of the first version was never written.
DROP TABLE keys;
CREATE TABLE requests(
    entity INTEGER NOT NULL REFERENCES entities(no),
    key TEXT NOT NULL CHECK(length(key) BETWEEN 1 AND 200),
    route TEXT NOT NULL,
    body BLOB NOT NULL,                                 -- hash
    process INTEGER,                                    -- which process does it; none when it is done
    status INTEGER,
    answer BLOB,
    at INTEGER NOT NULL,                                -- when it was begun
    PRIMARY KEY(entity, key),
    CHECK((status IS NULL) = (process IS NOT NULL)),
    CHECK((status IS NULL) = (answer IS NULL))
) STRICT;
CREATE INDEX requests_open ON requests(process) WHERE process IS NOT NULL;

-- What changed in a space besides new nodes, numbered under the space's lock. The newest are kept.
CREATE TABLE changes(
    space INTEGER NOT NULL REFERENCES spaces(no),
    no INTEGER NOT NULL,
    kind INTEGER NOT NULL,                              -- 0 node, 1 head, 2 member, 3 space, 4 read, 5 stop
    subject TEXT NOT NULL,                              -- id of a node or an entity; empty for the space and its default head
    PRIMARY KEY(space, no)
) STRICT;

ALTER TABLE runs ADD COLUMN changed_at INTEGER NOT NULL DEFAULT 0;
UPDATE runs SET changed_at = coalesce(ended_at, created_at);
CREATE INDEX runs_changed ON runs(changed_at);

ALTER TABLE calls ADD COLUMN account INTEGER REFERENCES entities(no);  -- who asked for it
ALTER TABLE calls ADD COLUMN report BLOB;                              -- of a call in no space, from which it could be told again
CREATE INDEX calls_account ON calls(account, no) WHERE account IS NOT NULL;
CREATE UNIQUE INDEX calls_alone ON calls(account, id) WHERE account IS NOT NULL AND space IS NULL;
