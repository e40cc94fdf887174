import type { Insertable } from 'kysely'

import { isRefName } from '../../../git/names.js'
import { newToken, tokenDigest } from '../../../lib/tokens.js'
import type { Database } from '../../database/connect.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { badRequest, forbidden, invalidRecord, notFound } from '../../http/errors.js'
import type { Project, User } from '../../http/operation.js'
import { pathNameFrom, problemOfPathName } from '../../path-name.js'
import type { Repositories } from '../../repositories/repositories.js'
import type { SecretBox } from '../../secret-box.js'
import { memberLevelInGroup } from '../../standing/levels.js'
import { addReadme } from './add-readme.js'
import { checkSettings } from './check-settings.js'
import { columnsOf, topicsOf } from './editable-columns.js'
import type { CreateProject } from './parameters.js'
import { refuseInstanceRunners } from './refuse-instance-runners.js'
import {
  deleteProject,
  findNamespace,
  findPersonalNamespace,
  insertProject,
  type Namespace,
  takenNames,
} from './store.js'
import type { ProjectTable } from './table.js'
import { saveTopics } from './topics.js'
import { refuseTooOpen } from './visibility.js'

/** What projects need of the repositories on disk. */
export type ProjectRepositories = Pick<Repositories, 'create' | 'path' | 'resolveRef' | 'setHead'>

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
  refuseTemplates(params)
  checkSettings(params, creator)
  const { name, path } = namesOf(params)
  const branch = firstBranchOf(params)
  const project = await inTransaction(deps.database, async (tx) => {
    const namespace = await namespaceFor(tx, params, owner)
    refuseTooOpen(params.visibility ?? 'private', namespace)
    refuseInstanceRunners(params, namespace)
    await refuseTaken(tx, namespace, { name, path })
    const project = await insertProject(
      tx,
      newProject(deps, params, { name, path }, namespace, creator),
      namespace.kind === 'user' ? owner.id : undefined,
    )
    await saveTopics(tx, project.id, topicsOf(params) ?? [])
    return project
  })
  return createRepository(deps, project, creator, branch)
}

function refuseTemplates({ template_name, template_project_id, use_custom_template }: CreateProject): void {
  if (!template_name && !template_project_id && !use_custom_template) return
  throw badRequest('There are no project templates here: create the project without one')
}

/** The branch of the README, if there is to be one. */
function firstBranchOf(params: CreateProject): string | undefined {
  const { initialize_with_readme, default_branch: branch = 'main' } = params
  if (!initialize_with_readme) return undefined
  if (!isRefName(branch)) throw invalidRecord({ default_branch: ['is not a valid name of a branch'] })
  return branch
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
  if (namespace.owner_id === owner.id || owner.is_admin) return namespace
  if (namespace.kind === 'user') throw forbidden()
  const level = await memberLevelInGroup(tx, owner.id, namespace.id)
  if (level >= LEAST_LEVEL[namespace.project_creation_level]) return namespace
  throw level === 0 && namespace.visibility === 'private' ? notFound('Namespace') : forbidden()
}

/** From which level on one creates projects in a group (API gaps, A15). */
const LEAST_LEVEL = { developer: 30, maintainer: 40, noone: Infinity }

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
  deps: CreateProjectDeps,
  project: Project,
  creator: User,
  branch: string | undefined,
): Promise<Project> {
  const { database, repositories } = deps
  try {
    await repositories.create(project.id)
    return branch === undefined ? project : await addReadme(deps, project, creator, branch)
  } catch (error) {
    await deleteProject(database, project.id)
    throw error
  }
}
