CREATE TABLE words(key BIGINT PRIMARY KEY, terms tsvector NOT NULL);
CREATE INDEX words_terms ON words USING gin(terms);
