import type { AvatarDeps } from '../accounts/users/avatar.js'
import type { RemovalDeps } from '../accounts/users/removal/remove-user.js'
import type { StateDeps } from '../accounts/users/state-changes.js'
import { cancelWorkOf } from '../ci/engine/retry/cancel-work-of.js'
import { deletePipelinesOf } from '../ci/pipelines/pipelines.js'
import { removeProjectIf } from '../hosting/projects/deletion/remove-project.js'
import { projectRemoval } from './project-deps.js'
import type { Parts } from './services.js'

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
