import { sql } from 'kysely'

import { groupBy } from '../../lib/group-by.js'
import type { Database } from './connect.js'
import { dialectOf } from './dialect.js'

/** A foreign key that deletes or changes rows of `table` when a row of another table is deleted. */
export interface Dependent {
  table: string
  /** Names the row that is deleted, by its `key`. */
  column: string
  key: string
  action: 'cascade' | 'set null'
}

interface ForeignKey extends Dependent {
  parent: string
}

const known = new WeakMap<Database, Promise<ReadonlyMap<string, readonly Dependent[]>>>()

/**
 * The foreign keys of the schema that act when a row is deleted, by the table of that row. Read once, after the
 * migrations: so a new table is among them without being listed anywhere.
 */
export function listDependents(database: Database): Promise<ReadonlyMap<string, readonly Dependent[]>> {
  const read = known.get(database) ?? readDependents(database)
  known.set(database, read)
  return read
}

async function readDependents(database: Database): Promise<ReadonlyMap<string, readonly Dependent[]>> {
  const { rows } = await (dialectOf(database) === 'postgres' ? OF_POSTGRES : OF_SQLITE).execute(database)
  const byParent = groupBy(rows, ({ parent }) => parent)
  const cleared = (table: string): number =>
    byParent.get(table)?.filter(({ action }) => action === 'set null').length ?? 0
  // Rows whose references would be cleared go first, because most of them are deleted as well.
  for (const list of byParent.values()) list.sort((one, other) => cleared(one.table) - cleared(other.table))
  return byParent
}

const OF_SQLITE = sql<ForeignKey>`
  select child.name as "table", fk."from" as "column", fk."table" as parent, fk."to" as "key",
    lower(fk.on_delete) as action
  from sqlite_master as child, pragma_foreign_key_list(child.name) as fk
  where child.type = 'table' and fk.on_delete in ('CASCADE', 'SET NULL')
  order by child.name, fk."from"`

const OF_POSTGRES = sql<ForeignKey>`
  select child.relname as "table", own.attname as "column", parent.relname as parent, referred.attname as "key",
    case fk.confdeltype when 'c' then 'cascade' else 'set null' end as action
  from pg_constraint as fk
    join pg_class as child on child.oid = fk.conrelid
    join pg_class as parent on parent.oid = fk.confrelid
    join pg_attribute as own on own.attrelid = fk.conrelid and own.attnum = fk.conkey[1]
    join pg_attribute as referred on referred.attrelid = fk.confrelid and referred.attnum = fk.confkey[1]
  where fk.contype = 'f' and fk.confdeltype in ('c', 'n') and fk.connamespace = current_schema()::regnamespace
  order by child.relname, own.attname`
