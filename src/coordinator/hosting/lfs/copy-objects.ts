import type { Database } from '../../database/connect.js'
import { copyObject, type LfsObjectDeps, objectsByOid } from './objects.js'
import { newPointers } from './pointers.js'

/** Commits of another project that a repository has got. */
export interface CopiedCommits {
  source: number
  target: number
  /** Repository of the target. */
  gitDir: string
  /** Ref of the commits in it. */
  ref: string
}

/**
 * Copies the objects that copied commits need and the target lacks, so that it can be cloned when they are
 * merged. Repeating it changes nothing.
 */
export async function copyMissingObjects(
  deps: LfsObjectDeps,
  { source, target, gitDir, ref }: CopiedCommits,
  signal: AbortSignal,
): Promise<void> {
  if (!(await hasOthers(deps.database, source, target))) return
  for await (const { oid } of newPointers(gitDir, ref, signal)) {
    const found = (await objectsByOid(deps.database, source, [oid])).get(oid)
    if (found) await copyObject(deps, found, target)
  }
}

/** Whether `source` has an object that `target` lacks. */
async function hasOthers(database: Database, source: number, target: number): Promise<boolean> {
  const own = database.selectFrom('lfs_object').select('oid').where('project_id', '=', target)
  const other = await database
    .selectFrom('lfs_object')
    .select('id')
    .where('project_id', '=', source)
    .where('oid', 'not in', own)
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}
