import type { ProjectRow, UserRow } from '../../../database/tables/pipeline-rows.js'
import type { EngineDeps, ResolvedRef } from '../engine-deps.js'
import { protectionOf } from './ref-protection.js'
import { refusalToRun, type RunQuestion, type RunRefusal } from './refusal-to-run.js'

/** Who wants to run what. */
export interface RunRequest {
  by: RunQuestion['by']
  project: ProjectRow
  user: UserRow
}

/** `refusalToRun` with what it must know read: the user's level, and the rules for the branch or tag. */
export async function refusalToRunOn(
  { database, outside }: Pick<EngineDeps, 'database' | 'outside'>,
  { by, project, user }: RunRequest,
  { ref, type }: Pick<ResolvedRef, 'ref' | 'type'>,
): Promise<RunRefusal | undefined> {
  const accessLevel = await outside.levelOf(user, project)
  const protection = await protectionOf(database, project.id, type, ref, user.id)
  return refusalToRun({ by, project, user, accessLevel, ref, protection })
}
