import { type Kysely, sql } from 'kysely'

import type { DialectName } from '../connect.js'

/** Indexes by which a search finds rare text in issues and merge requests without reading all of them. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  for (const table of ['issue', 'merge_request']) {
    if (dialect === 'sqlite') await createTrigramTable(db, table)
    else await createTrigramIndex(db, table)
  }
}

/**
 * The index has the parts of three characters of each text, and not the text. A row is due until it is in there: to add
 * each at once would take longer than to add several together, and triggers see every change.
 */
async function createTrigramTable(db: Kysely<unknown>, table: string): Promise<void> {
  const due = sql.table(`${table}_text_due`)
  await sql`
    create virtual table ${sql.table(`${table}_text`)} using fts5(
      text, content = '', contentless_delete = 1, tokenize = 'trigram', detail = none)`.execute(db)
  await sql`create table ${due} (id integer primary key)`.execute(db)
  const add = (row: string) =>
    sql`insert into ${due} values (${sql.ref(`${row}.id`)}) on conflict do nothing;`
  await sql`create trigger ${sql.ref(`${table}_text_inserted`)} after insert on ${sql.table(table)}
    begin ${add('new')} end`.execute(db)
  await sql`create trigger ${sql.ref(`${table}_text_updated`)} after update of title, description
    on ${sql.table(table)} when new.title <> old.title or new.description is not old.description
    begin ${add('new')} end`.execute(db)
  await sql`create trigger ${sql.ref(`${table}_text_deleted`)} after delete on ${sql.table(table)}
    begin ${add('old')} end`.execute(db)
  await sql`insert into ${due} select id from ${sql.table(table)}`.execute(db)
}

/** An extension brings the index. Without it, or the right to create it, a search reads every text. */
async function createTrigramIndex(db: Kysely<unknown>, table: string): Promise<void> {
  await sql`do $$ begin
    create extension if not exists pg_trgm;
  exception when others then
    raise notice 'pg_trgm: %', sqlerrm;
  end $$`.execute(db)
  const { rows } = await sql<{ schema: string }>`
    select nspname as schema from pg_extension
      join pg_namespace on pg_namespace.oid = extnamespace where extname = 'pg_trgm'`.execute(db)
  const [found] = rows
  if (!found) return
  // In these words, it is the expression of a search.
  const text = sql.raw(`lower((${table}.title || '\n' || coalesce(${table}.description, '')))`)
  await sql`create index ${sql.ref(`${table}_by_text`)} on ${sql.table(table)}
    using gin (${text} ${sql.id(found.schema, 'gin_trgm_ops')})`.execute(db)
  // Otherwise all texts count as rare, and the index is used for common ones, too.
  await sql`analyze ${sql.table(table)}`.execute(db)
}
