-- Which process writes a node that is pending. A pending node without one has nobody to end it.
CREATE TABLE pending(
    node INTEGER NOT NULL PRIMARY KEY,
    process INTEGER NOT NULL
) STRICT;

ALTER TABLE calls ADD COLUMN process INTEGER;           -- which process makes or made it; none for those of files
ALTER TABLE calls ADD COLUMN after INTEGER;             -- key of the last node that was there when it was sent
ALTER TABLE calls ADD COLUMN frame BLOB;                -- the part of the ask that is mostly the same from call to call
CREATE INDEX calls_open ON calls(process) WHERE process IS NOT NULL AND outcome IS NULL;

-- What a call reserved in which budget, and what it was settled at.
CREATE TABLE call_holds(
    call INTEGER NOT NULL REFERENCES calls(no),
    budget INTEGER NOT NULL REFERENCES budgets(no),
    reserved INTEGER NOT NULL CHECK(reserved >= 0),
    spent INTEGER,                                      -- none while the call runs
    PRIMARY KEY(call, budget)
) STRICT;
CREATE INDEX call_holds_budget ON call_holds(budget);

-- Keys of providers, sealed by whoever puts them here.
CREATE TABLE secrets(
    name TEXT NOT NULL PRIMARY KEY CHECK(length(name) BETWEEN 1 AND 200),
    sealed BLOB NOT NULL,
    hint TEXT NOT NULL,                                 -- the last characters, to tell one from another
    created_at INTEGER NOT NULL
) STRICT;

-- What tools said of themselves when they were approved.
CREATE TABLE tool_pins(
    server TEXT NOT NULL CHECK(length(server) <= 200),     -- empty for tools of our own
    tool TEXT NOT NULL CHECK(length(tool) BETWEEN 1 AND 200),
    described TEXT NOT NULL,
    approval TEXT,
    at INTEGER NOT NULL,
    PRIMARY KEY(server, tool)
) STRICT;

-- How many tokens a model really counts where we count a thousand.
CREATE TABLE learned(
    model TEXT NOT NULL PRIMARY KEY,
    thousandths INTEGER NOT NULL CHECK(thousandths > 0),
    samples INTEGER NOT NULL CHECK(samples > 0)
) STRICT;

-- What tools answered in whole, where the node holds a shortened form.
CREATE TABLE wholes(
    node INTEGER NOT NULL,
    call TEXT NOT NULL CHECK(length(call) BETWEEN 1 AND 200), -- id of the tool call
    hash BLOB NOT NULL,                                 -- of a blob
    PRIMARY KEY(node, call)
) STRICT;
