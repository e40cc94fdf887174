import { type Selectable, sql } from 'kysely'

import type { Database } from '../../database/connect.js'
import { hasRowLocks, lockRow } from '../../database/lock-row.js'
import type { NamespaceTable } from '../../database/tables/projects.js'
import { notFound } from '../../http/errors.js'

/** Of the lock that whoever moves something holds, in all coordinators on one PostgreSQL. */
const MOVES = 8_929_002

/**
 * Lets nobody else put a project or a group into the namespace until the transaction is over: their paths have indexes of
 * their own each, which do not tell of one another. Answers the namespace as it is then, with the path under which things
 * are put there; throws 404 where it is gone.
 */
export async function lockPlace(tx: Database, namespaceId: number): Promise<Selectable<NamespaceTable>> {
  const namespace = await lockRow(tx, 'namespace', namespaceId)
  if (!namespace) throw notFound('Namespace')
  return namespace
}

/**
 * Makes those who rename or move projects, groups and users wait for one another, for they change the paths of all that
 * lies within: otherwise two groups could be put into each other. It is taken before any row; after it namespaces are
 * locked, then projects, then what belongs to them.
 */
export async function lockMoves(tx: Database): Promise<void> {
  if (hasRowLocks(tx)) await sql`select pg_advisory_xact_lock(${MOVES})`.execute(tx)
}
