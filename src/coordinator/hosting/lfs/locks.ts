import type { Selectable, SelectQueryBuilder } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { Tables } from '../../database/tables/database-tables.js'
import type { LfsLockTable } from '../../database/tables/lfs.js'

/** A lock, with the name of its owner. */
export type LfsLock = Selectable<LfsLockTable> & { owner: string }

export interface LockSearch {
  path?: string | undefined
  id?: number | undefined
  /** ID of the last lock of the previous page. */
  after: number
  limit: number
}

/** The matching locks of a project, oldest first, and one more than `limit` if there are more. */
export function listLocks(
  database: Database,
  projectId: number,
  { path, id, after, limit }: LockSearch,
): Promise<LfsLock[]> {
  let query = withOwner(database).where('lfs_lock.project_id', '=', projectId)
  if (path !== undefined) query = query.where('lfs_lock.path', '=', path)
  if (id !== undefined) query = query.where('lfs_lock.id', '=', id)
  return query
    .where('lfs_lock.id', '>', after)
    .orderBy('lfs_lock.id')
    .limit(limit + 1)
    .execute()
}

export function findLock(database: Database, projectId: number, id: number): Promise<LfsLock | undefined> {
  return withOwner(database)
    .where('lfs_lock.project_id', '=', projectId)
    .where('lfs_lock.id', '=', id)
    .executeTakeFirst()
}

/** Locks a path. `isNew` is false, and the lock that of another call, if the path was locked before. */
export async function createLock(
  database: Database,
  wanted: { project_id: number; path: string; user_id: number },
): Promise<{ lock: LfsLock; isNew: boolean }> {
  for (;;) {
    const added = await database
      .insertInto('lfs_lock')
      .values({ ...wanted, locked_at: Date.now() })
      .onConflict((conflict) => conflict.columns(['project_id', 'path']).doNothing())
      .returning('id')
      .executeTakeFirst()
    const search = added ? { id: added.id } : { path: wanted.path }
    const [lock] = await listLocks(database, wanted.project_id, { ...search, after: 0, limit: 1 })
    if (lock) return { lock, isNew: added !== undefined }
    // It was removed in the meantime, so that the path can be locked.
  }
}

/** False if the lock was removed before. */
export async function deleteLfsLock(database: Database, { id }: LfsLock): Promise<boolean> {
  const { numDeletedRows } = await database.deleteFrom('lfs_lock').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

function withOwner(database: Database): SelectQueryBuilder<Tables, 'lfs_lock' | 'user', LfsLock> {
  return database
    .selectFrom('lfs_lock')
    .innerJoin('user', 'user.id', 'lfs_lock.user_id')
    .selectAll('lfs_lock')
    .select('user.name as owner')
}
