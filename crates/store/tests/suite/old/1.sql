-- A space as the first version kept it: a reply that something was hung on before it ended, an edit that is pinned, a head
-- that a viewer moved, a cursor, a key.
INSERT INTO entities(id, name, kind, more) VALUES('husam', 'husam', 0, NULL);
INSERT INTO entities(id, name, kind, more) VALUES('sarah', 'sarah', 0, NULL);
INSERT INTO entities(id, name, kind, more) VALUES('analyst', 'analyst', 1, NULL);
INSERT INTO spaces(id, name, header, head, head_depth, traits, searched, created_at) VALUES('team', 'Team', '{"weft":1,"space":{"id":"team","name":"Team"},"entities":[],"nodes":[]}', 4294967297, NULL, 1, 0, 1771426200000);
INSERT INTO members(space, entity, role, joined, gone, cursor) VALUES(1, 1, NULL, 0, NULL, 2);
INSERT INTO members(space, entity, role, joined, gone, cursor) VALUES(1, 2, NULL, 0, NULL, 0);
INSERT INTO members(space, entity, role, joined, gone, cursor) VALUES(1, 3, NULL, 0, NULL, 0);
INSERT INTO heads(space, entity, lane, depth) VALUES(1, 2, 4294967300, NULL);
INSERT INTO voices(space, entity, only_tools) VALUES(1, 1, 0);
INSERT INTO voices(space, entity, only_tools) VALUES(1, 3, 0);
INSERT INTO voices(space, entity, only_tools) VALUES(1, 2, 0);
INSERT INTO nodes(key, space, id, parent, lane, depth, author, at, kind, status, role, flags, special, text, parts, more, tally, hash) VALUES(4294967297, 1, '24jm1cna0vpy818f', NULL, 4294967297, 0, 1, 1771426200000, 0, 0, NULL, 0, 0, 'a question about the lighthouse', NULL, NULL, X'05000001000500000100', X'028bd3f9b49a8a1d8dc5cc41fd8454e3fcc39a9cd54c3bd498e0647e40266a3e');
INSERT INTO nodes(key, space, id, parent, lane, depth, author, at, kind, status, role, flags, special, text, parts, more, tally, hash) VALUES(4294967298, 1, 'kkwx1ztgmb65mhy5', 4294967297, 4294967297, 1, 3, 1771426200000, 0, 0, NULL, 0, 0, 'it was built in 1858', NULL, '{"model":"m"}', X'07000001000c00000200', X'490cc26ff2796c6f03dabdd68449b4f4ba07a0c572395f7162aeeb07afc0c609');
INSERT INTO nodes(key, space, id, parent, lane, depth, author, at, kind, status, role, flags, special, text, parts, more, tally, hash) VALUES(4294967299, 1, 'qngn3kxqx03b7e5w', 4294967298, 4294967297, 2, 2, 1771426200000, 0, 0, NULL, 64, 0, 'said while the reply was written', NULL, NULL, X'06000001001200000300', X'e023b654e28c1c829e9224df9fc3cc32d7fbe6a835f44247df7e0de397637d7d');
INSERT INTO nodes(key, space, id, parent, lane, depth, author, at, kind, status, role, flags, special, text, parts, more, tally, hash) VALUES(4294967300, 1, 'w62eqs43n2dxtw1v', NULL, 4294967300, 0, 1, 1771426200000, 0, 0, NULL, 4, 1, 'another question', NULL, '{"editedFrom":"24jm1cna0vpy818f"}', X'02000001000200000100', X'86059a406c73b262a49191df0895442a2c87340d06c41cfc5e8fbbf4d4ec8d3b');
