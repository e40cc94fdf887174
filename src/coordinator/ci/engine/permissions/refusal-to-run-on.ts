import type { ProjectRow, UserRow } from '../../../database/tables/pipeline-rows.js'
import type { EngineDeps, ResolvedRef } from '../engine-deps.js'
import { protectionOf } from './ref-protection.js'
import { refusalToRun, type RunQuestion, type RunRefusal } from './refusal-to-run.js'

/** The user and the job or pipeline to run. */
export interface RunRequest {
  by: RunQuestion['by']
  project: ProjectRow
  user: UserRow
}

/**
 * Like `refusalToRun`, but reads the required facts: the access level of the user and the rules for the ref.
 */
export async function refusalToRunOn(
  { database, outside }: Pick<EngineDeps, 'database' | 'outside'>,
  { by, project, user }: RunRequest,
  { ref, type }: Pick<ResolvedRef, 'ref' | 'type'>,
): Promise<RunRefusal | undefined> {
  const accessLevel = await outside.levelOf(user, project)
  const protection = await protectionOf(database, project.id, type, ref, user.id)
  return refusalToRun({ by, project, user, accessLevel, ref, protection })
}
