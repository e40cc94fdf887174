import { codeLevelOf } from './http/handle-operation.js'
import type { Project, User } from './http/operation.js'
import type { Parts } from './parts.js'
import { startHousekeeping } from './repositories/tend-repositories.js'
import type { ProjectDeps } from './resources/projects/operations.js'
import { type RemovedProjectDeps, removeFilesOfProject } from './resources/projects/removed-projects.js'
import { removeProjectFiles } from './storage/remove-project-files.js'

interface Access {
  externalUrl: string
  findProject: (idOrPath: string) => Promise<Project | undefined>
  findUser: (idOrName: string) => Promise<User | undefined>
  standingOf: Parameters<typeof codeLevelOf>[0]['standingOf']
}

/** Level from which code is read (API gaps, A15). */
const CODE_READER = 20

/** What the operations on projects are made of. */
export function projectDeps(parts: Parts, { findProject, standingOf, ...access }: Access): ProjectDeps {
  const { database, secrets, repositories, blobs, avatars, outbound } = parts
  return {
    ...{ database, secrets, repositories, blobs, avatars, ...access },
    imports: {
      wake: () => parts.imports.wake(),
      refuses: (address) => outbound.refuses(address),
    },
    readableProject: async (idOrPath, user) => {
      const project = await findProject(idOrPath)
      const level = project ? await codeLevelOf({ standingOf }, user, project) : 0
      return level >= CODE_READER ? project : undefined
    },
    startHousekeeping: (projectId) => startHousekeeping(parts, projectId),
    onProjectDeleted: (projectId) => removeFilesOfProject(removedProjectDeps(parts), projectId),
    onJobsGone: (jobIds) => {
      for (const id of jobIds) parts.watches.tell(id)
    },
  }
}

/** What removes the files of a project whose rows are gone. */
export function removedProjectDeps(parts: Parts): RemovedProjectDeps {
  const { database, logger, repositories, blobs, artifacts, caches, uploads, traces } = parts
  return {
    ...{ database, logger },
    removeFiles: async (projectId) => {
      await repositories.delete(projectId)
      await removeProjectFiles({ artifacts, caches, uploads, traces }, projectId)
      await blobs.deleteBelow(`projects/${projectId}`)
    },
  }
}
