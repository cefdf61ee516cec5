-- Who stands otherwise than before: a space of theirs changed, who is there, or what they carry; 0 for everybody, because somebody
-- changed. Numbered in the order of the changes.
CREATE TABLE around(
    entity INTEGER NOT NULL PRIMARY KEY,
    change INTEGER NOT NULL
) STRICT;
CREATE INDEX around_change ON around(change);
