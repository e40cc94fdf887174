import type { RefChanger } from '../../../hosting/repositories/change/change-refs.js'
import type { OperationDeps } from '../../../http/handle-operation.js'
import { giverNow } from '../../../intentions/giver.js'
import type { MergeDeps } from './prepare-merge.js'

export interface BackgroundDeps extends MergeDeps, Pick<OperationDeps, 'findProject' | 'projectAccessOf'> {}

/**
 * A user who changes refs of a project in the background, with the rights that they have now; undefined if they are blocked or
 * deleted, or the project cannot be changed.
 */
export async function changerInBackground(
  deps: BackgroundDeps,
  { projectId, userId }: { projectId: number; userId: number | null },
  signal: AbortSignal,
): Promise<RefChanger | undefined> {
  const giver = await giverNow(deps.pushes.database, { userId, projectId })
  return giver && { ...giver, signal }
}
