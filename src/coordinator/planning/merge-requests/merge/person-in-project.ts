import type { Project, User } from '../../../access/caller.js'
import { whyReadOnly } from '../../../access/read-only.js'
import type { RefChanger } from '../../../hosting/repositories/change/change-refs.js'
import { findUser } from '../../../hosting/repositories/store.js'
import { accessIn, type OperationDeps } from '../../../http/handle-operation.js'
import type { MergeDeps } from './prepare-merge.js'

export interface BackgroundDeps extends MergeDeps, Pick<OperationDeps, 'findProject' | 'projectAccessOf'> {}

/**
 * A user who changes refs of a project in the background, with the rights that he has now; undefined if he is blocked or
 * deleted, or the project cannot be changed.
 */
export async function changerInBackground(
  deps: BackgroundDeps,
  { projectId, userId }: { projectId: number; userId: number },
  signal: AbortSignal,
): Promise<RefChanger | undefined> {
  const project = await deps.findProject(String(projectId))
  const user = await findUser(deps.pushes.database, userId)
  if (!project || whyReadOnly(project) !== undefined || user?.state !== 'active') return undefined
  return { ...(await changerIn(deps, project, user)), signal }
}

async function changerIn(deps: BackgroundDeps, project: Project, user: User) {
  return { project, user, accessLevel: (await accessIn(deps, user, project)).accessLevel }
}
