import { customAttributeOperations } from '../../../src/coordinator/accounts/custom-attributes/operations.js'
import { createGroupDirectory } from '../../../src/coordinator/accounts/groups/group-directory.js'
import { namespaceOperations } from '../../../src/coordinator/accounts/groups/namespace-operations.js'
import { groupOperations } from '../../../src/coordinator/accounts/groups/operations.js'
import { memberOperations } from '../../../src/coordinator/accounts/members/operations.js'
import { accountOperations } from '../../../src/coordinator/accounts/users/account-operations.js'
import { FolderBlobStore } from '../../../src/coordinator/ci/storage/folder-blob-store.js'
import { variableOperations } from '../../../src/coordinator/ci/variables/operations.js'
import type { Database } from '../../../src/coordinator/database/connect.js'
import { EgressClient } from '../../../src/coordinator/egress/egress-client.js'
import { Avatars } from '../../../src/coordinator/hosting/avatars/avatars.js'
import { deleteProject } from '../../../src/coordinator/hosting/projects/deletion/delete-project.js'
import { createProjectFinder } from '../../../src/coordinator/hosting/projects/find-project.js'
import { projectsOfGroup } from '../../../src/coordinator/hosting/projects/group-operations.js'
import { projectOperations } from '../../../src/coordinator/hosting/projects/operations.js'
import { ProjectRecords } from '../../../src/coordinator/hosting/projects/record/records.js'
import {
  protectedBranchOperations,
  protectedTagOperations,
} from '../../../src/coordinator/hosting/protected-refs/operations.js'
import { summarizePush } from '../../../src/coordinator/hosting/repositories/push/summarize-push.js'
import { Authenticator } from '../../../src/coordinator/http/authentication/authenticator.js'
import { metadataOperations } from '../../../src/coordinator/instance/metadata/operations.js'
import { eventOperations } from '../../../src/coordinator/integrations/activity-events/operations.js'
import { hookOperations } from '../../../src/coordinator/integrations/webhooks/operations.js'
import { attributeOwners } from '../../../src/coordinator/start/attribute-owners.js'
import { createLogger } from '../../../src/lib/logger.js'
import { type OpenDatabase, openSqlite } from '../../support/databases.js'
import { onFinished } from '../../support/lifetime.js'
import { tempDir } from '../../support/temp-dir.js'
import { removalDeps } from './deletion-deps.js'
import { NO_IMPORTS } from './no-imports.js'
import { RecordedRepositories } from './repositories.js'
import { addPerson, EXTERNAL_URL, openApp, type Person, type TestApp, testSecrets } from './test-app.js'

export interface PeopleApi extends TestApp {
  database: Database
  root: Person
  /** Projects whose files were removed. */
  deleted: number[]
  /** Users whose pipelines were canceled. */
  shutOut: number[]
  /** Projects whose pipelines were canceled. */
  canceledIn: number[]
  createdRepositories: number[]
  repositories: RecordedRepositories
}

/** Everything that people do with users, projects and their settings, over SQLite and with an administrator. */
export async function openPeopleApi(
  options: { branches?: string[]; open?: OpenDatabase; deletionAdjournedPeriod?: number } = {},
): Promise<PeopleApi> {
  const { database } = await (options.open ?? openSqlite)()
  const repositories = await RecordedRepositories.open(options.branches)
  const deleted: number[] = []
  const blobs = new FolderBlobStore(await tempDir())
  const shutOut: number[] = []
  const canceledIn: number[] = []
  const egress = new EgressClient({ allowLocalNetwork: false })
  onFinished(() => egress.close())
  const authenticator = new Authenticator(database)
  const deps = {
    ...removalDeps(database, deleted),
    secrets: testSecrets(),
    repositories,
    externalUrl: EXTERNAL_URL,
    findUser: (idOrName: string) => authenticator.findUser(idOrName),
    imports: NO_IMPORTS,
    exports: { wake: () => undefined },
    mayDelete: async () => true,
    blobs,
    avatars: new Avatars(blobs),
    startHousekeeping: () => Promise.resolve(true),
    readableProject: createProjectFinder(database),
    findProject: createProjectFinder(database),
    onJobsGone: () => undefined,
    deletionAdjournedPeriod: options.deletionAdjournedPeriod ?? 0,
    cancelWorkIn: async (projectId: number) => {
      canceledIn.push(projectId)
    },
    onProjectDeleted: async (projectId: number) => {
      deleted.push(projectId)
    },
    onShutOut: async (userId: number) => {
      shutOut.push(userId)
    },
  }
  const app = openApp(database, [
    ...metadataOperations(),
    ...accountOperations(deps),
    ...namespaceOperations(deps),
    ...groupOperations({
      ...deps,
      logger: createLogger('test', 'silent'),
      projectsOf: (group, viewer) => projectsOfGroup(new ProjectRecords(deps), group, viewer),
      deleteProject: async (id) => {
        const project = await deps.findProject(String(id))
        if (project) await deleteProject(deps, project)
      },
    }),
    ...projectOperations(deps),
    ...memberOperations(deps),
    ...eventOperations({
      ...deps,
      summarizePush: (pushed, signal) => summarizePush(deps.repositories, pushed, signal),
    }),
    ...customAttributeOperations({
      database,
      ...attributeOwners({ ...deps, groups: createGroupDirectory(database) }),
    }),
    ...variableOperations(deps),
    ...protectedBranchOperations(deps),
    ...protectedTagOperations(deps),
    ...hookOperations({
      ...deps,
      egress,
      deliveries: {
        ...deps,
        egress,
        sender: { externalUrl: EXTERNAL_URL, version: '1.2.3' },
        render: async ({ facts }) => facts,
      },
      samples: { database, repositories: deps.repositories },
    }),
  ])
  const root = await addPerson(database, 'root', { admin: true, scopes: ['api', 'sudo'] })
  return Object.assign(app, {
    database,
    root,
    deleted,
    shutOut,
    canceledIn,
    repositories,
    createdRepositories: repositories.created,
  })
}

/** Creates a project of `owner` and answers its record. */
export async function addProject(
  api: PeopleApi,
  owner: Person,
  params: { name: string } & Record<string, unknown>,
): Promise<{ id: number; path_with_namespace: string } & Record<string, unknown>> {
  const response = await api.call(owner, 'POST /projects', params)
  if (response.statusCode !== 201) throw new Error(response.body)
  return response.json()
}

export async function addMember(
  api: PeopleApi,
  owner: Person,
  projectId: number,
  who: Person,
  level: number,
) {
  const response = await api.call(owner, `POST /projects/${projectId}/members`, {
    user_id: who.id,
    access_level: level,
  })
  if (response.statusCode !== 201) throw new Error(response.body)
}
