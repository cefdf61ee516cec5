-- What bookmarks are called. That a node is bookmarked is a flag of it.
CREATE TABLE bookmarks(
    node INTEGER NOT NULL PRIMARY KEY,
    name TEXT NOT NULL CHECK(length(name) BETWEEN 1 AND 200)
) STRICT;
-- Bookmarked or pinned: found without reading a space.
CREATE INDEX nodes_marked ON nodes(key) WHERE flags & 12 <> 0;

-- What somebody says that one node has to do with another of its space.
CREATE TABLE links(
    source INTEGER NOT NULL,
    target INTEGER NOT NULL,
    kind INTEGER NOT NULL,          -- 0 relates, 1 supports, 2 contradicts, 3 answers, 4 refines, 5 repeats
    author INTEGER NOT NULL REFERENCES entities(no),
    reason TEXT NOT NULL,
    at INTEGER,
    PRIMARY KEY(source, target, kind)
) STRICT;
CREATE INDEX links_target ON links(target);

-- Nodes that an agent keeps before its eyes, wherever it stands.
CREATE TABLE loom_pins(
    space INTEGER NOT NULL REFERENCES spaces(no),
    agent INTEGER NOT NULL REFERENCES entities(no),
    node INTEGER NOT NULL,
    no INTEGER NOT NULL,            -- in which order
    PRIMARY KEY(space, agent, node)
) STRICT;

-- What an agent put aside: a text of its own, or a node.
CREATE TABLE loom_stashes(
    space INTEGER NOT NULL REFERENCES spaces(no),
    agent INTEGER NOT NULL REFERENCES entities(no),
    name TEXT NOT NULL CHECK(length(name) BETWEEN 1 AND 200),
    text TEXT,
    node INTEGER,
    at INTEGER NOT NULL,
    PRIMARY KEY(space, agent, name)
) STRICT;

-- The last things that an agent did in a tree.
CREATE TABLE loom_trace(
    space INTEGER NOT NULL REFERENCES spaces(no),
    agent INTEGER NOT NULL REFERENCES entities(no),
    no INTEGER NOT NULL,
    at INTEGER NOT NULL,
    line TEXT NOT NULL,
    PRIMARY KEY(space, agent, no)
) STRICT;
