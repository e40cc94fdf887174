import { deleteProjectFiles } from '../../ci/storage/delete-project-files.js'
import { type DeletedProjectDeps, deleteFilesOfProject } from '../../hosting/projects/deleted-projects.js'
import type { DeleteProjectDeps } from '../../hosting/projects/deletion/delete-project.js'
import { refreshMergeRequestsFrom } from '../../planning/merge-requests/refresh/refresh-from-project.js'
import type { BaseServices } from './base.js'

/** The dependencies of deleting projects. */
export function projectDeletion(services: BaseServices): Omit<DeleteProjectDeps, 'database'> {
  return {
    deletions: services.deletions,
    onHidden: refreshMergeRequestsFrom,
    onProjectDeleted: (projectId) => deleteFilesOfProject(deletedProjectDeps(services), projectId),
    onJobsGone: (jobIds) => {
      for (const id of jobIds) services.watches.notify(id)
    },
  }
}

/** The dependencies of deleting the files of a deleted project. */
export function deletedProjectDeps(services: BaseServices): DeletedProjectDeps {
  const { database, logger, repositories, wikiRepositories, blobs, artifacts, caches, uploads, traces } =
    services
  return {
    database,
    logger,
    deleteFiles: async (projectId) => {
      await repositories.delete(projectId)
      await wikiRepositories.delete(projectId)
      await deleteProjectFiles({ artifacts, caches, uploads, traces }, projectId)
      await blobs.deleteBelow(`projects/${projectId}`)
    },
  }
}
