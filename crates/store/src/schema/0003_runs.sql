-- What started a chain of runs (a human's message, a plan's firing, a delivery), and what the chain has used up.
CREATE TABLE roots(
    no INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE CHECK(length(id) BETWEEN 1 AND 200),
    runs INTEGER NOT NULL CHECK(runs >= 0),
    messages INTEGER NOT NULL CHECK(messages >= 0),     -- of agents
    runs_cap INTEGER NOT NULL,
    messages_cap INTEGER NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

-- Activations of agents. A run is written by whoever holds its epoch, and by nobody else.
CREATE TABLE runs(
    no INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE CHECK(length(id) BETWEEN 1 AND 200),
    agent INTEGER NOT NULL REFERENCES entities(no),
    space INTEGER REFERENCES spaces(no),                -- of its trigger; none for plans and deliveries
    root INTEGER NOT NULL REFERENCES roots(no),         -- what its messages are charged to first
    depth INTEGER NOT NULL CHECK(depth >= 0),
    state INTEGER NOT NULL CHECK(state BETWEEN 0 AND 7),-- queued, running, waiting_reply, waiting_tool, parked, completed, failed, canceled
    fresh INTEGER NOT NULL,                             -- 1 until it is claimed: more triggers may join it
    reason INTEGER,                                     -- why it is parked
    epoch INTEGER NOT NULL CHECK(epoch >= 0),
    owner TEXT CHECK(length(owner) > 0),
    lease INTEGER,
    claims INTEGER NOT NULL CHECK(claims >= 0),         -- since it last came further
    progress INTEGER NOT NULL,                          -- the last step that is done
    waits INTEGER NOT NULL,                             -- how often it has waited for a reply
    available_at INTEGER NOT NULL,
    cancel INTEGER NOT NULL,                            -- 1 when it is to stop
    error TEXT,
    created_at INTEGER NOT NULL,
    ended_at INTEGER,
    CHECK((state = 1) = (lease IS NOT NULL)),
    CHECK((state = 1) = (owner IS NOT NULL)),
    CHECK((state = 4) = (reason IS NOT NULL)),
    CHECK((state >= 5) = (ended_at IS NOT NULL)),
    CHECK(fresh = 0 OR state = 0)
) STRICT;
-- One run of an agent waits its turn in a space, and one is at work there.
CREATE UNIQUE INDEX runs_fresh ON runs(agent, space) WHERE fresh = 1;
CREATE UNIQUE INDEX runs_running ON runs(agent, space) WHERE state = 1;
CREATE INDEX runs_queued ON runs(available_at, no) WHERE state = 0;
CREATE INDEX runs_lease ON runs(lease) WHERE state = 1;
CREATE INDEX runs_agent ON runs(agent, no);
CREATE INDEX runs_space ON runs(space, no);
CREATE INDEX runs_busy ON runs(agent) WHERE state = 1;

-- Every root a run is charged to: its own, and those of triggers that joined it.
CREATE TABLE run_roots(
    run INTEGER NOT NULL REFERENCES runs(no),
    root INTEGER NOT NULL REFERENCES roots(no),
    PRIMARY KEY(run, root)
) STRICT;
CREATE INDEX run_roots_root ON run_roots(root);

-- What woke a run. A trigger wakes an agent once, whichever run it becomes part of.
CREATE TABLE run_triggers(
    agent INTEGER NOT NULL REFERENCES entities(no),
    key TEXT NOT NULL CHECK(length(key) BETWEEN 1 AND 600),
    run INTEGER NOT NULL REFERENCES runs(no),
    how INTEGER NOT NULL,                               -- 0 started it, 1 joined it, 2 resumed it
    kind INTEGER NOT NULL,                              -- 0 message, 1 plan, 2 delivery
    node INTEGER,                                       -- key of the message
    sender INTEGER,                                     -- the agent who sent it, if one did
    body TEXT,                                          -- JSON: what a plan or a delivery says
    depth INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY(agent, key),
    CHECK((kind = 0) = (node IS NOT NULL))
) STRICT;
CREATE INDEX run_triggers_run ON run_triggers(run);
CREATE INDEX run_triggers_node ON run_triggers(node);
CREATE INDEX run_triggers_pair ON run_triggers(sender, agent, at) WHERE sender IS NOT NULL;

-- What was not done because of a cap, and for whom.
CREATE TABLE refusals(
    no INTEGER PRIMARY KEY,
    run INTEGER REFERENCES runs(no),                    -- who wanted it; none when a person or a plan did
    agent INTEGER NOT NULL REFERENCES entities(no),     -- who was not woken, or may not send
    key TEXT NOT NULL,                                  -- the trigger or the step
    node INTEGER,                                       -- the message that woke nobody
    why INTEGER NOT NULL,
    at INTEGER NOT NULL,
    UNIQUE(agent, key)
) STRICT;
CREATE INDEX refusals_run ON refusals(run);
CREATE INDEX refusals_node ON refusals(node);

-- Messages that could wake somebody, and where in a chain they stand.
CREATE TABLE posts(
    node INTEGER PRIMARY KEY,
    run INTEGER REFERENCES runs(no),
    step INTEGER,
    root INTEGER NOT NULL REFERENCES roots(no),
    depth INTEGER NOT NULL,
    reply_to TEXT,
    expects INTEGER NOT NULL,                           -- 1 when the sender waits for a reply
    meant INTEGER NOT NULL,                             -- how many agents it was meant to wake
    at INTEGER NOT NULL,
    UNIQUE(run, step)
) STRICT;

-- What a run does, a row before and the same row after.
CREATE TABLE run_steps(
    run INTEGER NOT NULL REFERENCES runs(no),
    step INTEGER NOT NULL CHECK(step > 0),
    kind INTEGER NOT NULL,                              -- 0 model, 1 tool, 2 send
    status INTEGER NOT NULL CHECK(status BETWEEN 0 AND 2), -- intent, done, unknown
    epoch INTEGER NOT NULL,
    request BLOB,                                       -- hash of what is asked
    result TEXT,                                        -- JSON
    reserved INTEGER NOT NULL,                          -- billionths of a dollar, as everywhere
    cost INTEGER NOT NULL,
    node INTEGER,                                       -- the message it sent
    at INTEGER NOT NULL,
    ended_at INTEGER,
    PRIMARY KEY(run, step)
) STRICT;

-- How far a run has read in each space; finishing moves the agent's cursors there.
CREATE TABLE run_reads(
    run INTEGER NOT NULL REFERENCES runs(no),
    space INTEGER NOT NULL REFERENCES spaces(no),
    seq INTEGER NOT NULL,
    PRIMARY KEY(run, space)
) STRICT;

-- What runs wait for.
CREATE TABLE waits(
    no INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES runs(no),
    agent INTEGER NOT NULL REFERENCES entities(no),
    kind INTEGER NOT NULL,                              -- 0 reply, 1 tool
    space INTEGER REFERENCES spaces(no),
    node INTEGER,                                       -- the message that awaits a reply
    step INTEGER NOT NULL,                              -- the step that began it; of a tool, the one it answers
    accept INTEGER NOT NULL,                            -- 0 any, 1 reply, 2 from
    deadline INTEGER NOT NULL,
    state INTEGER NOT NULL CHECK(state BETWEEN 0 AND 3),-- open, resolved, expired, canceled
    reason INTEGER,                                     -- why it was canceled
    resolved INTEGER,                                   -- key of the message that resolved it
    at INTEGER NOT NULL,
    ended_at INTEGER,
    CHECK((state = 0) = (ended_at IS NULL)),
    CHECK((state = 3) = (reason IS NOT NULL)),
    CHECK((kind = 0) = (node IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX waits_open ON waits(run) WHERE state = 0;
CREATE INDEX waits_run ON waits(run, no);
CREATE INDEX waits_space ON waits(space) WHERE state = 0;
CREATE INDEX waits_agent ON waits(agent) WHERE state = 0;
CREATE INDEX waits_due ON waits(deadline) WHERE state = 0;

CREATE TABLE wait_from(
    wait INTEGER NOT NULL REFERENCES waits(no),
    entity INTEGER NOT NULL REFERENCES entities(no),
    PRIMARY KEY(wait, entity)
) STRICT;

-- What agents will do later.
CREATE TABLE plans(
    no INTEGER PRIMARY KEY,
    agent INTEGER NOT NULL REFERENCES entities(no),
    id TEXT NOT NULL CHECK(length(id) BETWEEN 1 AND 200),
    version INTEGER NOT NULL,
    name TEXT NOT NULL,
    instruction TEXT NOT NULL,
    schedule TEXT NOT NULL,                             -- as its reader wrote it
    next_fire INTEGER,                                  -- none when it has fired for the last time
    root INTEGER REFERENCES roots(no),                  -- of the chain it was made in
    depth INTEGER NOT NULL,
    removed INTEGER NOT NULL,
    UNIQUE(agent, id),
    CHECK(removed = 0 OR next_fire IS NULL)
) STRICT;
CREATE INDEX plans_due ON plans(next_fire) WHERE next_fire IS NOT NULL;

CREATE TABLE plan_fires(
    plan INTEGER NOT NULL REFERENCES plans(no),
    scheduled_for INTEGER NOT NULL,
    run INTEGER REFERENCES runs(no),
    refused INTEGER,
    at INTEGER NOT NULL,
    PRIMARY KEY(plan, scheduled_for),
    CHECK((run IS NULL) = (refused IS NOT NULL))
) STRICT;
CREATE INDEX plan_fires_run ON plan_fires(run);

-- What services delivered.
CREATE TABLE deliveries(
    source TEXT NOT NULL CHECK(length(source) BETWEEN 1 AND 200),
    id TEXT NOT NULL CHECK(length(id) BETWEEN 1 AND 200),
    body BLOB NOT NULL,                                 -- hash
    run INTEGER REFERENCES runs(no),
    at INTEGER NOT NULL,
    PRIMARY KEY(source, id)
) STRICT;

-- What may be spent, in a stretch of time, by an agent, in a space or for a root.
CREATE TABLE budgets(
    no INTEGER PRIMARY KEY,
    scope INTEGER NOT NULL,                             -- 0 agent, 1 space, 2 root
    subject INTEGER NOT NULL,
    starts INTEGER NOT NULL,
    ends INTEGER NOT NULL,
    cap INTEGER NOT NULL CHECK(cap >= 0),
    reserved INTEGER NOT NULL CHECK(reserved >= 0),
    spent INTEGER NOT NULL CHECK(spent >= 0),
    UNIQUE(scope, subject, starts),
    CHECK(starts < ends)
) STRICT;

-- Which budgets a step was reserved in, so that it is settled in the same.
CREATE TABLE holds(
    run INTEGER NOT NULL,
    step INTEGER NOT NULL,
    budget INTEGER NOT NULL REFERENCES budgets(no),
    PRIMARY KEY(run, step, budget)
) STRICT;
CREATE INDEX holds_budget ON holds(budget);

-- What is to be pushed to the outside, at least once, under its key.
CREATE TABLE outbox(
    no INTEGER PRIMARY KEY,
    topic TEXT NOT NULL CHECK(length(topic) > 0),
    key TEXT NOT NULL CHECK(length(key) > 0),
    payload TEXT NOT NULL,
    available_at INTEGER NOT NULL,
    claims INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    sent_at INTEGER,
    UNIQUE(topic, key)
) STRICT;
CREATE INDEX outbox_due ON outbox(available_at) WHERE sent_at IS NULL;

CREATE TABLE goals(
    agent INTEGER NOT NULL REFERENCES entities(no),
    place INTEGER NOT NULL,
    text TEXT NOT NULL,
    priority INTEGER,
    long_term INTEGER NOT NULL,
    PRIMARY KEY(agent, place)
) STRICT;

CREATE TABLE memories(
    agent INTEGER NOT NULL REFERENCES entities(no),
    place INTEGER NOT NULL,
    topic TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY(agent, place)
) STRICT;
