ALTER TABLE entities ADD COLUMN external INTEGER NOT NULL DEFAULT 0;    -- 1 when a program elsewhere does the agent's runs
ALTER TABLE spaces ADD COLUMN confidential INTEGER NOT NULL DEFAULT 0;  -- 1 when what is read here is not said elsewhere
-- What a message has answered is asked for with every message.
CREATE INDEX waits_resolved ON waits(resolved) WHERE resolved IS NOT NULL;
