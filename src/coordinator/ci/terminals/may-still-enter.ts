import { findJob } from '../engine/job-store.js'
import { findProject } from '../engine/pipeline-store.js'
import { hasEnded, type HoldDeps, mayEnterJob, timeOf } from '../holds/holds.js'
import { findHold } from '../holds/store.js'
import type { JobTerminalRow } from './store.js'

/**
 * Whether the person who has got a terminal may still use it: the account may have been blocked since then, the role in
 * the project lost, the ref protected, or the hold ended.
 */
export async function mayStillEnter(
  deps: HoldDeps,
  { job_id, user_id }: Pick<JobTerminalRow, 'job_id' | 'user_id'>,
): Promise<boolean> {
  const { database, outside } = deps.engine
  const [job, hold, user] = await Promise.all([
    findJob(database, job_id),
    findHold(database, job_id),
    database.selectFrom('user').selectAll().where('id', '=', user_id).executeTakeFirst(),
  ])
  if (!job || !hold || hasEnded(hold, timeOf(deps)) || user?.state !== 'active') return false
  const project = await findProject(database, job.project_id)
  return mayEnterJob(deps, project, job, user, await outside.levelOf(user, project))
}
