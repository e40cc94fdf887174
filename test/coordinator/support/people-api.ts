import { variableOperations } from '../../../src/coordinator/ci/variables/operations.js'
import type { Database } from '../../../src/coordinator/database/connect.js'
import {
  protectedBranchOperations,
  protectedTagOperations,
} from '../../../src/coordinator/hosting/protected-refs/operations.js'
import type { Operation } from '../../../src/coordinator/http/operation.js'
import { metadataOperations } from '../../../src/coordinator/instance/metadata/operations.js'
import type { OperationListDeps } from '../../../src/coordinator/start/operation-list-deps.js'
import { listAccountsOperations } from '../../../src/coordinator/start/operations/accounts.js'
import { listProjectOperations } from '../../../src/coordinator/start/operations/hosting.js'
import { listIntegrationsOperations } from '../../../src/coordinator/start/operations/integrations.js'
import type { Services } from '../../../src/coordinator/start/services/services.js'
import type { OpenDatabase } from '../../support/databases.js'
import { sceneForFile } from '../../support/scene-for-file.js'
import { RecordedRepositories } from './repositories.js'
import { addPerson, type Person, type TestApp } from './test-app.js'
import { openTestApp, openTestServices } from './test-coordinator.js'

export interface PeopleApi extends TestApp {
  database: Database
  services: Services
  root: Person
  /** They record which repositories were created and deleted. */
  repositories: RecordedRepositories
}

/** Returns a function that opens them, once for all tests of a file (`sceneForFile`). */
export function peopleApiForFile(
  options: Omit<PeopleApiOptions, 'open'> = {},
): (open?: OpenDatabase) => Promise<PeopleApi> {
  const openApi = sceneForFile((open) => openPeopleApi({ ...options, open }))
  return async (open) => {
    const api = await openApi(open)
    for (const list of [api.repositories.created, api.repositories.deleted]) list.length = 0
    return api
  }
}

interface PeopleApiOptions {
  branches?: string[]
  open?: OpenDatabase
  deletionAdjournedPeriod?: number
}

/** The operations for users, projects and their settings, on SQLite, with an administrator. */
export async function openPeopleApi({
  branches,
  open,
  deletionAdjournedPeriod = 0,
}: PeopleApiOptions = {}): Promise<PeopleApi> {
  const repositories = await RecordedRepositories.open(branches)
  const services = await openTestServices({
    ...(open && { open }),
    settings: { deletionAdjournedPeriod },
    overrides: { repositories },
  })
  const { database } = services
  const app = openTestApp(services, { operations: listPeopleOperations })
  const root = await addPerson(database, 'root', { admin: true, scopes: ['api', 'sudo'] })
  return Object.assign(app, { database, services, root, repositories })
}

function listPeopleOperations(services: Services, deps: OperationListDeps): Operation[] {
  return [
    ...metadataOperations(),
    ...listAccountsOperations(services, deps),
    ...listProjectOperations(services, deps),
    ...protectedBranchOperations(services),
    ...protectedTagOperations(services),
    ...variableOperations(services),
    ...listIntegrationsOperations(services, deps),
  ]
}

/** Creates a project of `owner` and returns its record. */
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
