import type { AvatarDeps } from '../accounts/users/avatar.js'
import type { RemovalDeps } from '../accounts/users/deletion/delete-user.js'
import type { StateDeps } from '../accounts/users/state/state-changes.js'
import { cancelWorkOf } from '../ci/engine/retry/cancel-work-of.js'
import { deletePipelinesOf } from '../ci/pipelines/pipelines.js'
import { deleteProjectIf } from '../hosting/projects/deletion/delete-project.js'
import { projectDeletion } from './project-deps.js'
import type { Services } from './services.js'

/** The services that deleting and blocking users needs. */
export function accountDeps(
  services: Services,
): RemovalDeps & Pick<StateDeps, 'onShutOut'> & Pick<AvatarDeps, 'avatars'> {
  const { database, logger, engine, avatars } = services
  return {
    database,
    logger,
    avatars,
    onShutOut: (userId) => cancelWorkOf(engine, userId),
    cancelWork: (userId) => cancelWorkOf(engine, userId),
    deleteProject: async (projectId) => {
      await deleteProjectIf({ database, ...projectDeletion(services) }, projectId)
    },
    deletePipelinesOf: (userId) => deletePipelinesOf(services, userId),
    deleteAvatars: (owner) => avatars.deleteOf(owner),
  }
}
