import { cancelWorkOf } from '../engine/cancel/cancel-work-of.js'
import { deletePipelinesOf } from '../resources/pipelines/pipelines.js'
import { removeFilesOfProject } from '../resources/projects/removed-projects.js'
import { deleteProject, runningJobs } from '../resources/projects/store.js'
import type { AvatarDeps } from '../resources/users/avatar.js'
import type { RemovalDeps } from '../resources/users/removal/remove-user.js'
import type { StateDeps } from '../resources/users/state-changes.js'
import type { Parts } from './parts.js'
import { removedProjectDeps } from './project-deps.js'

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
      const jobs = await runningJobs(database, projectId)
      if (!(await deleteProject(database, projectId))) return
      for (const id of jobs) parts.watches.tell(id)
      await removeFilesOfProject(removedProjectDeps(parts), projectId)
    },
    deletePipelinesOf: (userId) => deletePipelinesOf(parts, userId),
    removePictures: (owner) => avatars.deleteOf(owner),
  }
}
