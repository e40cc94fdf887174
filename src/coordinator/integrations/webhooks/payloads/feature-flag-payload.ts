import type { FeatureFlagFacts } from '../outbox/emit-feature-flag-event.js'
import { findUser, loadProject, type PayloadDeps } from './payload-deps.js'
import { projectBlock } from './project-blocks.js'
import { userBlock } from './user-block.js'

/** `feature_flag` (API, K5); undefined if its project or the user was deleted. */
export async function featureFlagPayload(
  deps: PayloadDeps,
  projectId: number | null,
  { flag: { id, name, description, active }, userId }: FeatureFlagFacts,
) {
  const around = await loadProject(deps, projectId)
  const user = await findUser(deps, userId)
  if (!around || !user) return undefined
  return {
    object_kind: 'feature_flag',
    project: projectBlock(around),
    user: userBlock(user, around.externalUrl),
    user_url: `${around.externalUrl}/${user.username}`,
    object_attributes: { id, name, description, active },
  }
}
