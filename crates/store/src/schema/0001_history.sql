-- Who speaks.
CREATE TABLE entities(
    no INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE CHECK(length(id) BETWEEN 1 AND 200),
    name TEXT NOT NULL,
    kind INTEGER NOT NULL,          -- 0 human, 1 agent, 2 service
    more TEXT                       -- JSON: what only some have (prompt, model, …)
) STRICT;

-- Where it is said. The row's lock is the order of the space.
CREATE TABLE spaces(
    no INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE CHECK(length(id) BETWEEN 1 AND 200),
    name TEXT NOT NULL,
    header TEXT NOT NULL,           -- JSON: the conversation file without entities, members, nodes, heads, cursors, calls
    head INTEGER,                   -- lane of the default head; none while the space is empty
    head_depth INTEGER,             -- a node of that lane; none for its newest
    traits INTEGER NOT NULL,        -- what is true of some node (textless, only tools for another)
    searched INTEGER NOT NULL,      -- the last key that is in the search index
    created_at INTEGER NOT NULL     -- milliseconds since 1970, here and everywhere
) STRICT;

CREATE TABLE members(
    space INTEGER NOT NULL REFERENCES spaces(no),
    entity INTEGER NOT NULL REFERENCES entities(no),
    role TEXT,
    joined INTEGER NOT NULL,        -- the last seq before they came
    gone INTEGER,                   -- the last seq before they went; none while they are here
    cursor INTEGER NOT NULL,        -- seq up to which they have read; only moves forward
    PRIMARY KEY(space, entity)
) STRICT;
CREATE INDEX members_entity ON members(entity);

-- Heads that viewers moved.
CREATE TABLE heads(
    space INTEGER NOT NULL REFERENCES spaces(no),
    entity INTEGER NOT NULL REFERENCES entities(no),
    lane INTEGER NOT NULL,
    depth INTEGER,
    PRIMARY KEY(space, entity)
) STRICT;

-- Who ever wrote in a space.
CREATE TABLE voices(
    space INTEGER NOT NULL REFERENCES spaces(no),
    entity INTEGER NOT NULL REFERENCES entities(no),
    only_tools INTEGER NOT NULL,
    PRIMARY KEY(space, entity)
) STRICT;

-- What was said. key = space * 2^32 + seq, so that a space lies together in the order it was said.
-- A lane is a stretch of the tree without forks: the first child goes on in its parent's lane, every other begins one.
-- It is named by the key of its first node. A path is a handful of lanes; a stretch of it is a range of one index.
CREATE TABLE nodes(
    key INTEGER PRIMARY KEY,
    space INTEGER NOT NULL,
    id TEXT NOT NULL CHECK(length(id) BETWEEN 1 AND 200),
    parent INTEGER,
    lane INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    author INTEGER NOT NULL,
    at INTEGER,                     -- when it was said
    kind INTEGER NOT NULL,
    status INTEGER NOT NULL,        -- 0 sent, 1 pending, 2 error
    role INTEGER,
    flags INTEGER NOT NULL,
    special INTEGER NOT NULL,       -- something but its place decides what becomes of it
    text TEXT,                      -- its text, where it is one plain text part
    parts TEXT,                     -- its parts as JSON, where it is more
    more TEXT,                      -- JSON: what only some nodes have
    tally BLOB NOT NULL,            -- o200k tokens of it, and of it and all above it
    hash BLOB                       -- none while it is pending
) STRICT;
CREATE UNIQUE INDEX nodes_id ON nodes(id, space);
CREATE UNIQUE INDEX nodes_lane ON nodes(lane, depth);
CREATE INDEX nodes_special ON nodes(lane, depth) WHERE special = 1;
CREATE INDEX nodes_fork ON nodes(space, parent) WHERE lane = key;
CREATE INDEX nodes_pending ON nodes(key) WHERE status = 1;

-- Tokens under other counters, counted when they are first needed.
CREATE TABLE tallies(
    node INTEGER NOT NULL,
    counter INTEGER NOT NULL,
    tally BLOB NOT NULL,
    PRIMARY KEY(node, counter)
) STRICT;

-- Asks, requests and responses, each kept once, compressed.
CREATE TABLE blobs(
    hash BLOB NOT NULL PRIMARY KEY,
    size INTEGER NOT NULL,
    body BLOB NOT NULL,
    uses INTEGER NOT NULL           -- calls that name it; gone with the last
) STRICT;

-- Requests to models.
CREATE TABLE calls(
    no INTEGER PRIMARY KEY,
    id TEXT NOT NULL CHECK(length(id) BETWEEN 1 AND 200),
    space INTEGER REFERENCES spaces(no), -- none for those of a run that is in no space
    node INTEGER,
    agent INTEGER REFERENCES entities(no),
    run TEXT,
    purpose INTEGER NOT NULL,       -- 0 reply, 1 title, 2 summary
    model TEXT,
    at INTEGER,
    duration INTEGER,
    outcome INTEGER,                -- 0 done, 1 failed, 2 canceled; none while it runs, and for good if its process died
    input INTEGER,
    output INTEGER,
    cache_read INTEGER,
    cache_write INTEGER,
    estimated INTEGER NOT NULL,
    cost INTEGER,                   -- billionths of a dollar
    more TEXT,                      -- JSON: raw usage, price snapshot, what the source says
    ask BLOB,
    request BLOB,
    response BLOB,
    UNIQUE(id, space)
) STRICT;
CREATE INDEX calls_space ON calls(space, no);
CREATE INDEX calls_node ON calls(node) WHERE node IS NOT NULL;
CREATE INDEX calls_run ON calls(run) WHERE run IS NOT NULL;

-- Answers to requests that carried an idempotency key and made no node.
CREATE TABLE keys(
    entity INTEGER NOT NULL,
    key TEXT NOT NULL,
    body BLOB NOT NULL,
    answer TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY(entity, key)
) STRICT;
