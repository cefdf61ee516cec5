-- Who is in a space, numbers with commas, in the order they came: what `members` says, for whoever is told of many spaces.
ALTER TABLE spaces ADD COLUMN here TEXT NOT NULL DEFAULT '';
UPDATE spaces SET here = coalesce((SELECT string_agg(CAST(m.entity AS TEXT), ',' ORDER BY m.joined, m.entity)
    FROM members m WHERE m.space = spaces.no AND m.gone IS NULL), '');
