import type { Project, User } from '../access/caller.js'
import type { GroupDeps } from '../accounts/groups/operations.js'
import type { RemoveGroupDeps } from '../accounts/groups/remove-group.js'
import { cancelWorkIn } from '../ci/engine/retry/cancel-work-of.js'
import { removeProjectFiles } from '../ci/storage/remove-project-files.js'
import { type RemoveDeps, removeProject } from '../hosting/projects/deletion/remove-project.js'
import {
  type RemovedProjectDeps,
  removeFilesOfProject,
} from '../hosting/projects/deletion/removed-projects.js'
import { createProjectFinder } from '../hosting/projects/find-project.js'
import { projectsOfGroup } from '../hosting/projects/group-operations.js'
import type { ProjectDeps } from '../hosting/projects/operations.js'
import { ProjectRecords } from '../hosting/projects/records.js'
import { startHousekeeping } from '../hosting/repositories/upkeep/tend-repositories.js'
import { codeLevelOf } from '../http/handle-operation.js'
import { mayInProject } from './may-in-project.js'
import type { Parts } from './services.js'

interface Access {
  externalUrl: string
  findProject: (idOrPath: string) => Promise<Project | undefined>
  findUser: (idOrName: string) => Promise<User | undefined>
  standingOf: Parameters<typeof codeLevelOf>[0]['standingOf']
}

/** Level from which code is read (API, A15). */
const CODE_READER = 20

/** What the operations on projects are made of. */
export function projectDeps(parts: Parts, { findProject, standingOf, ...access }: Access): ProjectDeps {
  const { database, secrets, repositories, blobs, avatars, outbound } = parts
  const mayDo = mayInProject(database)
  return {
    ...{ database, secrets, repositories, blobs, avatars, findProject, ...access },
    imports: {
      wake: () => parts.imports.wake(),
      refuses: (address) => outbound.refuses(address),
    },
    mayRemove: (user, project) => mayDo('remove_project', user, project),
    exports: { wake: () => parts.exports.wake() },
    readableProject: async (idOrPath, user) => {
      const project = await findProject(idOrPath)
      const level = project ? await codeLevelOf({ standingOf }, user, project) : 0
      return level >= CODE_READER ? project : undefined
    },
    startHousekeeping: (projectId) => startHousekeeping(parts, projectId),
    deletionAdjournedPeriod: parts.settings.deletionAdjournedPeriod,
    cancelWorkIn: (projectId) => cancelWorkIn(parts.engine, projectId),
    ...projectRemoval(parts),
  }
}

/** What the operations on groups are made of. */
export function groupDeps(parts: Parts, access: Access): GroupDeps {
  const projects = projectDeps(parts, access)
  const records = new ProjectRecords(projects)
  return {
    ...{ secrets: parts.secrets, avatars: parts.avatars, externalUrl: access.externalUrl },
    projectsOf: (group, viewer) => projectsOfGroup(records, group, viewer),
    ...removeGroupDeps(parts),
  }
}

/** What removes groups with the projects in them. */
export function removeGroupDeps(parts: Parts): RemoveGroupDeps {
  const { database, logger } = parts
  const findProject = createProjectFinder(database)
  const deps = { database, ...projectRemoval(parts) }
  return {
    ...{ database, logger },
    removePictures: (group) => parts.avatars.deleteOf(group),
    removeProject: async (id) => {
      const project = await findProject(String(id))
      if (project) await removeProject(deps, project)
    },
  }
}

export function projectRemoval(parts: Parts): Omit<RemoveDeps, 'database'> {
  return {
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
