import { cancelWorkOf } from '../engine/cancel/cancel-work-of.js'
import { deletePipelinesOf } from '../resources/pipelines/pipelines.js'
import { removeProjectIf } from '../resources/projects/deletion/remove-project.js'
import type { AvatarDeps } from '../resources/users/avatar.js'
import type { RemovalDeps } from '../resources/users/removal/remove-user.js'
import type { StateDeps } from '../resources/users/state-changes.js'
import type { Parts } from './parts.js'
import { projectRemoval } from './project-deps.js'

/** What removing users, and shutting them out, takes of the other parts. */
export function accountDeps(
  parts: Parts,
): RemovalDeps & Pick<StateDeps, 'onShutOut'> & Pick<AvatarDeps, 'avatars'> {
  const { database, logger, engine, avatars } = parts
  return {
    database,
    logger,
    avatars,
    onShutOut: (userId) => cancelWorkOf(engine, userId),
    cancelWork: (userId) => cancelWorkOf(engine, userId),
    deleteProject: async (projectId) => {
      await removeProjectIf({ database, ...projectRemoval(parts) }, projectId)
    },
    deletePipelinesOf: (userId) => deletePipelinesOf(parts, userId),
    removePictures: (owner) => avatars.deleteOf(owner),
  }
}
