import type { UserAvatarDeps } from '../accounts/users/avatar.js'
import type { RemovalDeps } from '../accounts/users/deletion/delete-user.js'
import type { StateDeps } from '../accounts/users/state/state-changes.js'
import { cancelWorkOf } from '../ci/engine/retry/cancel-work-of.js'
import { deletePipelinesOf } from '../ci/pipelines/pipelines.js'
import { deleteWholeProject } from '../hosting/projects/deletion/delete-project.js'
import { hideProject } from '../hosting/projects/store.js'
import { reassignPlanning } from '../planning/reassign-planning.js'
import { projectDeletion } from './services/project-deletion.js'
import type { Services } from './services/services.js'

/** The services that deleting and blocking users needs. */
export function accountDeps(
  services: Services,
): RemovalDeps & Pick<StateDeps, 'onShutOut'> & Pick<UserAvatarDeps, 'avatars'> {
  const { database, engine, avatars } = services
  const deletion = { database, ...projectDeletion(services) }
  return {
    database,
    avatars,
    onShutOut: (userId) => cancelWorkOf(engine, userId),
    cancelWork: (userId) => cancelWorkOf(engine, userId),
    deletions: services.deletions,
    hideProject: async (projectId) => void (await hideProject(deletion, projectId)),
    deleteProject: (projectId, signal) => deleteWholeProject(deletion, projectId, signal),
    deletePipelinesOf: (userId, signal) => deletePipelinesOf(services, userId, signal),
    reassignPlanning,
    deleteAvatars: (owner) => avatars.deleteOf(owner),
  }
}
