import type { JobRow, PipelineRow, ProjectRow, UserRow } from '../../../database/tables/pipeline-rows.js'
import type { EngineDeps, ResolvedRef } from '../engine-deps.js'
import { protectionOf } from './ref-protection.js'
import { refusalToRun, type RunAttempt, type RunRefusal } from './refusal-to-run.js'
import { protectionOfStored } from './run-protection.js'

/** The user and the job or pipeline to run. */
export interface RunRequest {
  by: RunAttempt['by']
  project: ProjectRow
  user: UserRow
}

/**
 * Like `refusalToRun`, but reads the required facts: the access level of the user and the rules for the ref.
 * `database` may be a transaction.
 */
export async function refusalToRunOn(
  { database, outside }: Pick<EngineDeps, 'database' | 'outside'>,
  { by, project, user }: RunRequest,
  { ref, type }: Pick<ResolvedRef, 'ref' | 'type'>,
): Promise<RunRefusal | undefined> {
  const accessLevel = await outside.levelOf(user, project, database)
  const protection = await protectionOf(database, project.id, type, ref, user.id)
  return refusalToRun({ by, project, user, accessLevel, ref, protection })
}

/** A stored pipeline or job, as far as the permission to start its jobs depends on it. */
export type StoredRun = Pick<JobRow, 'pipeline_id' | 'ref' | 'tag' | 'protected'>

export function storedRunOf({ id, ref, tag, protected: isProtected }: PipelineRow): StoredRun {
  return { pipeline_id: id, ref, tag, protected: isProtected }
}

/** The reason why the user may not start or retry jobs of a pipeline; undefined if allowed. `database` may be a transaction. */
export async function refusalToPlay(
  { database, outside }: Pick<EngineDeps, 'database' | 'outside'>,
  { project, user }: Pick<RunRequest, 'project' | 'user'>,
  run: StoredRun,
): Promise<RunRefusal | undefined> {
  const accessLevel = await outside.levelOf(user, project, database)
  const protection = await protectionOfStored(database, { project_id: project.id, ...run }, user.id)
  return refusalToRun({ by: 'play', project, user, accessLevel, ref: run.ref, protection })
}
