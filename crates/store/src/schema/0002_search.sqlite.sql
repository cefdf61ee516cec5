CREATE VIRTUAL TABLE words USING fts5(terms, content = '', columnsize = 0, detail = none, tokenize = 'ascii');
-- What is taken out leaves no trace behind.
INSERT INTO words(words, rank) VALUES('secure-delete', 1);
