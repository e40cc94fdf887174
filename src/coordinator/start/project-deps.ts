import type { Project, User } from '../access/caller.js'
import type { DeleteGroupDeps } from '../accounts/groups/delete-group.js'
import type { GroupDeps } from '../accounts/groups/operations.js'
import { cancelWorkIn } from '../ci/engine/retry/cancel-work-of.js'
import { deleteWholeProject } from '../hosting/projects/deletion/delete-project.js'
import { projectsOfGroup } from '../hosting/projects/group-operations.js'
import type { ProjectDeps } from '../hosting/projects/operations.js'
import { ProjectRecords } from '../hosting/projects/record/records.js'
import { hideProject } from '../hosting/projects/store.js'
import { startHousekeeping } from '../hosting/repositories/housekeeping/run-housekeeping.js'
import { codeLevelOf } from '../http/handle-operation.js'
import { closeMergeRequestsFrom } from '../planning/merge-requests/close-from-project.js'
import { replaceGroupRecords } from '../planning/transfer/replace-group-records.js'
import { projectDeletion } from './services/project-deletion.js'
import type { Services } from './services/services.js'

interface Access {
  externalUrl: string
  findProject: (idOrPath: string) => Promise<Project | undefined>
  findUser: (idOrName: string) => Promise<User | undefined>
  projectAccessOf: Parameters<typeof codeLevelOf>[0]['projectAccessOf']
}

/** Minimum access level to read code (API, A15). */
const CODE_READER = 20

/** The dependencies of project operations. */
export function projectDeps(
  services: Services,
  { findProject, projectAccessOf, ...access }: Access,
): ProjectDeps {
  const { database, secrets, repositories, blobs, avatars, egress } = services
  return {
    database,
    secrets,
    repositories,
    blobs,
    avatars,
    findProject,
    ...access,
    imports: {
      wake: () => services.imports.wake(),
      refuses: (address) => egress.refuses(address),
    },
    exports: { wake: () => services.exports.wake() },
    onUnlinked: closeMergeRequestsFrom,
    onMoved: replaceGroupRecords,
    readableProject: async (idOrPath, user) => {
      const project = await findProject(idOrPath)
      const level = project ? await codeLevelOf({ projectAccessOf }, user, project) : 0
      return level >= CODE_READER ? project : undefined
    },
    startHousekeeping: (projectId) => startHousekeeping(services, projectId),
    deletionAdjournedPeriod: () => services.instanceSettings.deletionAdjournedPeriod(),
    cancelWorkIn: (projectId) => cancelWorkIn(services.engine, projectId),
    ...projectDeletion(services),
  }
}

/** The dependencies of group operations. */
export function groupDeps(services: Services, access: Access): GroupDeps {
  const projects = projectDeps(services, access)
  const records = new ProjectRecords(projects)
  return {
    secrets: services.secrets,
    avatars: services.avatars,
    externalUrl: access.externalUrl,
    onMoved: replaceGroupRecords,
    projectsOf: (group, viewer) => projectsOfGroup(records, group, viewer),
    ...deleteGroupDeps(services),
  }
}

/** The dependencies of deleting groups with their projects. */
export function deleteGroupDeps(services: Services): DeleteGroupDeps {
  const { database } = services
  const deps = { database, ...projectDeletion(services) }
  return {
    database,
    deleteAvatars: (group) => services.avatars.deleteOf(group),
    deleteWiki: (groupId) => services.groupWikiRepositories.delete(groupId),
    deletions: services.deletions,
    hideProject: async (id) => void (await hideProject(deps, id)),
    deleteProject: (id, signal) => deleteWholeProject(deps, id, signal),
  }
}
