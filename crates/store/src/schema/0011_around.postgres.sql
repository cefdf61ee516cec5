-- Who stands otherwise than before: a space of theirs changed, who is there, or what they carry; 0 for everybody, because somebody
-- changed. With the transaction: nobody waits for anybody to write it down, and a reader knows which transactions it has seen.
CREATE TABLE around(
    entity BIGINT NOT NULL,
    change BIGINT NOT NULL,
    PRIMARY KEY(entity, change)
);
