-- Programs elsewhere that wake an agent over signed webhooks. Whoever puts a secret here has sealed it.
CREATE TABLE services(
    name TEXT NOT NULL PRIMARY KEY CHECK(length(name) BETWEEN 1 AND 200),
    agent INTEGER NOT NULL REFERENCES entities(no),     -- who is woken
    sealed BLOB NOT NULL,
    hint TEXT NOT NULL,                                 -- the last characters, to tell one secret from another
    created_at INTEGER NOT NULL,
    rotated_at INTEGER,                                 -- when the secret was changed last
    old_sealed BLOB,                                    -- the secret before
    old_until INTEGER,                                  -- from when on it is not taken any more
    CHECK((old_sealed IS NULL) = (old_until IS NULL))
) STRICT;
CREATE INDEX services_agent ON services(agent);
