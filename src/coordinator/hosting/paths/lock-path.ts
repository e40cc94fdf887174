import { type Selectable, sql } from 'kysely'

import type { Database } from '../../database/connect.js'
import { hasRowLocks, lockRow } from '../../database/lock-row.js'
import type { NamespaceTable } from '../../database/tables/projects.js'
import { notFound } from '../../http/errors.js'

/** Key of the advisory lock for path changes, shared by all coordinators on one PostgreSQL. */
const MOVES = 8_929_002

/**
 * Locks the namespace until the end of the transaction, so that no other request creates a project or a group
 * in it. A lock is needed because projects and groups have separate unique indexes on their paths. Returns
 * the current namespace, whose path is the parent path. Throws 404 if it no longer exists.
 */
export async function lockPlace(tx: Database, namespaceId: number): Promise<Selectable<NamespaceTable>> {
  const namespace = await lockRow(tx, 'namespace', namespaceId)
  if (!namespace) throw notFound('Namespace')
  return namespace
}

/**
 * Serializes renames and moves of projects, groups and users, because each changes the paths of everything
 * inside. Without it two groups could become children of each other. Lock order: first this lock, then
 * namespaces, then projects, then the rows that belong to them.
 */
export async function lockMoves(tx: Database): Promise<void> {
  if (hasRowLocks(tx)) await sql`select pg_advisory_xact_lock(${MOVES})`.execute(tx)
}
