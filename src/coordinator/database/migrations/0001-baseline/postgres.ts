import { type Kysely, sql } from 'kysely'

import { executeStatements } from '../execute-statements.js'

/** What only PostgreSQL has. */
export async function createInPostgres(db: Kysely<unknown>): Promise<void> {
  await executeStatements(db, INDEXES)
  const schema = await trigramSchema(db)
  if (schema === undefined) return
  for (const table of ['issue', 'merge_request']) await createTextIndex(db, table, schema)
}

const INDEXES = `
create index namespace_list on namespace (name, id, kind, visibility, owner_id, parent_id);
create index namespace_list_of_kind on namespace (kind, name, id, visibility, parent_id);
create index namespace_list_of_parent on namespace (parent_id, name, id, kind, visibility, owner_id);
`

/**
 * The schema of the extension that the text indexes need. Without it, or the right to create it, a search reads every
 * text.
 */
async function trigramSchema(db: Kysely<unknown>): Promise<string | undefined> {
  await sql`do $$ begin
    create extension if not exists pg_trgm;
  exception when others then
    raise notice 'pg_trgm: %', sqlerrm;
  end $$`.execute(db)
  const { rows } = await sql<{ schema: string }>`
    select nspname as schema from pg_extension
      join pg_namespace on pg_namespace.oid = extnamespace where extname = 'pg_trgm'`.execute(db)
  return rows[0]?.schema
}

async function createTextIndex(db: Kysely<unknown>, table: string, schema: string): Promise<void> {
  // In these words, it is the expression of a search.
  const text = sql.raw(`lower((${table}.title || '\n' || coalesce(${table}.description, '')))`)
  await sql`create index ${sql.ref(`${table}_by_text`)} on ${sql.table(table)}
    using gin (${text} ${sql.id(schema, 'gin_trgm_ops')})`.execute(db)
  // Otherwise all texts count as rare, and the index is used for common ones, too.
  await sql`analyze ${sql.table(table)}`.execute(db)
}
