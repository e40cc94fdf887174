import { may } from '../../access/access.js'
import type { Project, User } from '../../access/caller.js'
import type { OutsideSources } from '../../ci/engine/outside-sources.js'
import type { Database } from '../../database/connect.js'
import { effectiveSettings } from '../../database/stores/application-setting-store.js'
import type { RemoteFiles } from '../../egress/remote-files.js'
import { createProjectAccessReader, createProjectFinder } from '../../hosting/projects/find-project.js'
import { includableTemplates, type Templates } from '../../hosting/templates/templates.js'
import { accessIn, codeLevelOf, levelOf } from '../../http/handle-operation.js'

/** Minimum access level to read code (API, A15). */
const CODE_READER = 20

/** Sources of CI files outside their own repository. */
export function createOutsideSources(
  database: Database,
  remoteFiles: RemoteFiles,
  templates: Templates,
): OutsideSources {
  const findProject = createProjectFinder(database)
  const projectAccessOf = createProjectAccessReader(database)
  const projectOfPath = async (fullPath: string): Promise<Project | undefined> =>
    // A number would be interpreted as an id.
    fullPath.includes('/') ? findProject(fullPath) : undefined
  const levelOfUser = (user: User | undefined, project: Project, within?: Database) =>
    levelOf({ projectAccessOf: within ? createProjectAccessReader(within) : projectAccessOf }, user, project)
  return {
    maxIncludes: async () => (await effectiveSettings(database, 'ci_max_includes')).ci_max_includes,
    findProject: projectOfPath,
    levelOf: levelOfUser,
    readableProject: async (user, fullPath) => {
      const project = await projectOfPath(fullPath)
      return project && (await codeLevelOf({ projectAccessOf }, user, project)) >= CODE_READER
        ? project
        : undefined
    },
    projectWithJobs,
    fetchRemote: (url, maxAgeSeconds) => remoteFiles.fetch(url, maxAgeSeconds),
    ...includableTemplates(templates),
  }
}

async function projectWithJobs(database: Database, user: User, fullPath: string) {
  const project = fullPath.includes('/') ? await createProjectFinder(database)(fullPath) : undefined
  if (!project) return undefined
  const projectAccess = await accessIn(
    { projectAccessOf: createProjectAccessReader(database) },
    user,
    project,
  )
  if (!may('read_pipelines', { project, ...projectAccess })) return undefined
  return { project, accessLevel: projectAccess.accessLevel }
}
