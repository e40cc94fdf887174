import type { Insertable } from 'kysely'

import { newToken, tokenDigest } from '../../../lib/tokens.js'
import type { Database } from '../../database/connect.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { forbidden, invalidParameters, invalidRecord, notFound } from '../../http/errors.js'
import type { Project, User } from '../../http/operation.js'
import { pathNameFrom, problemOfPathName } from '../../path-name.js'
import type { SecretBox } from '../../secret-box.js'
import { columnsOf } from './editable-columns.js'
import { refuseInstanceRunners } from './refuse-instance-runners.js'
import type { CreateProject } from './schema.js'
import {
  deleteProject,
  findNamespace,
  findPersonalNamespace,
  insertProject,
  type Namespace,
  takenNames,
} from './store.js'
import type { ProjectTable } from './table.js'
import { refuseTooOpen } from './visibility.js'

/** What projects need of the repositories on disk. */
export interface ProjectRepositories {
  create: (projectId: number) => Promise<void>
  resolveRef: (projectId: number, ref: string) => Promise<{ type: 'branch' | 'tag' } | undefined>
}

export interface CreateProjectDeps {
  database: Database
  secrets: SecretBox
  repositories: ProjectRepositories
}

const RUNNER_REGISTRATION_PREFIX = 'GR1348941'

/** Creates a project and its repository for `owner`, by `creator`. Throws `ApiError` for what cannot be (API gaps, C1). */
export async function createProject(
  deps: CreateProjectDeps,
  params: CreateProject,
  creator: User,
  owner: User = creator,
): Promise<Project> {
  const { name, path } = namesOf(params)
  if (params.initialize_with_readme) {
    throw invalidParameters('initialize_with_readme is not supported: push a first commit instead')
  }
  const project = await inTransaction(deps.database, async (tx) => {
    const namespace = await namespaceFor(tx, params, owner)
    refuseTooOpen(params.visibility ?? 'private', namespace)
    refuseInstanceRunners(params, namespace)
    await refuseTaken(tx, namespace, { name, path })
    return insertProject(tx, newProject(deps, params, { name, path }, namespace, creator), owner.id)
  })
  await createRepository(deps, project)
  return project
}

/** Of name and path each follows from the other. */
function namesOf(params: CreateProject): { name: string; path: string } {
  const name = params.name ?? params.path ?? ''
  const path = params.path ?? pathNameFrom(name)
  const problem = problemOfPathName(path, 'inside')
  if (problem) throw invalidRecord({ path: [problem] })
  return { name, path }
}

async function namespaceFor(tx: Transaction, params: CreateProject, owner: User): Promise<Namespace> {
  const id = params.namespace_id
  const namespace = id ? await findNamespace(tx, id) : await findPersonalNamespace(tx, owner.id)
  if (!namespace) throw notFound('Namespace')
  const isOwn = namespace.owner_id === owner.id || owner.is_admin
  if (isOwn) return namespace
  throw namespace.visibility === 'private' ? notFound('Namespace') : forbidden()
}

export async function refuseTaken(
  tx: Transaction,
  namespace: { id: number },
  names: { name: string; path: string; except?: number },
): Promise<void> {
  const taken = await takenNames(tx, namespace.id, names)
  if (!taken.name && !taken.path) return
  throw invalidRecord({
    ...(taken.name ? { name: ['has already been taken'] } : {}),
    ...(taken.path ? { path: ['has already been taken'] } : {}),
    limit_reached: [],
  })
}

function newProject(
  { secrets }: CreateProjectDeps,
  params: CreateProject,
  { name, path }: { name: string; path: string },
  namespace: Namespace,
  creator: User,
): Insertable<ProjectTable> {
  const now = Date.now()
  const runnersToken = newToken(RUNNER_REGISTRATION_PREFIX)
  return {
    visibility: 'private',
    shared_runners_enabled: namespace.shared_runners_setting === 'enabled',
    ...columnsOf(params),
    name,
    path,
    full_path: `${namespace.full_path}/${path}`,
    // Whatever the client says: a branch that nobody has pushed cannot be the default one.
    default_branch: null,
    namespace_id: namespace.id,
    creator_id: creator.id,
    runners_token_digest: tokenDigest(runnersToken),
    runners_token_encrypted: secrets.encrypt(runnersToken),
    created_at: now,
    updated_at: now,
    last_activity_at: now,
  }
}

/** A project without a repository helps nobody: it goes away again when git fails. */
async function createRepository(
  { database, repositories }: CreateProjectDeps,
  project: Project,
): Promise<void> {
  try {
    await repositories.create(project.id)
  } catch (error) {
    await deleteProject(database, project.id)
    throw error
  }
}
