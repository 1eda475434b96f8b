/** What the catalogues say of the tables, names, bounds and storage options included. */
export const catalogue = `
SELECT c.relname, c.relkind, c.relpersistence, c.reloptions, pg_get_expr(c.relpartbound, c.oid), t.spcname
FROM pg_class c LEFT JOIN pg_tablespace t ON t.oid = c.reltablespace
WHERE c.relname LIKE 'pgbench%' ORDER BY 1;
SELECT attrelid::regclass, attname, format_type(atttypid, atttypmod), attnotnull
FROM pg_attribute WHERE attnum > 0 AND attrelid::regclass::text LIKE 'pgbench%' ORDER BY 1::text, attnum;
SELECT conrelid::regclass, conname, pg_get_constraintdef(oid) FROM pg_constraint
WHERE conrelid::regclass::text LIKE 'pgbench%' ORDER BY 1::text, 2;
SELECT count(*), sum(aid), sum(bid), sum(abalance), count(filler), sum(length(filler::bytea)) FROM pgbench_accounts;
SELECT count(*), sum(tid), sum(bid), sum(tbalance), count(filler) FROM pgbench_tellers;
SELECT count(*), sum(bid), sum(bbalance), count(filler) FROM pgbench_branches;
SELECT count(*) FROM pgbench_history;`;
/** Bytes of each table and index. */
export const sizes = `SELECT relname, pg_relation_size(oid) FROM pg_class
WHERE relname LIKE 'pgbench%' AND relkind IN ('r', 'i') ORDER BY 1`;
