import type { Insertable } from 'kysely'

import { pathNameFrom, problemOfPathName } from '../../../../addresses/path-name.js'
import { isNewRefName } from '../../../../git/names.js'
import { newToken, tokenDigest } from '../../../../lib/tokens.js'
import { DEVELOPER, MAINTAINER } from '../../../access/access-levels.js'
import type { Project, User } from '../../../access/caller.js'
import { memberLevelInGroup } from '../../../access/membership-levels.js'
import type { SecretBox } from '../../../crypto/secret-box.js'
import type { Database } from '../../../database/connect.js'
import { effectiveSettings } from '../../../database/stores/application-setting-store.js'
import type { EffectiveSettings } from '../../../database/tables/application-settings.js'
import type { ProjectTable } from '../../../database/tables/projects.js'
import { afterCommit, inTransaction, type Transaction } from '../../../database/transaction.js'
import { type ApiError, apiError, forbidden, invalidRecord, notFound } from '../../../http/errors.js'
import { lockPlace } from '../../paths/lock-path.js'
import { copyDefaultRule } from '../../push-rule-store.js'
import type { Repositories } from '../../repositories/repositories.js'
import { refuseRestricted } from '../../restricted-visibility.js'
import { saveTopics } from '../../topic-store.js'
import { addImport } from '../import-store.js'
import { checkedImportUrl } from '../import-url.js'
import { checkSettings } from '../settings/check-settings.js'
import { columnsOf, topicsOf } from '../settings/editable-columns.js'
import type { CreateProject } from '../settings/parameters.js'
import { refuseInstanceRunners } from '../settings/refuse-instance-runners.js'
import { refuseTaken } from '../settings/refuse-taken.js'
import { closed, refuseTooOpen } from '../settings/visibility.js'
import type { StatisticsRepositories } from '../statistics/repository-statistics.js'
import { updateProjectStatistics } from '../statistics/update-project-statistics.js'
import {
  countProjects,
  deleteProjectRow,
  findNamespace,
  findPersonalNamespace,
  insertProject,
  type Namespace,
} from '../store.js'
import { addReadme } from './add-readme.js'

/** Repository functions that project creation needs. */
type ProjectRepositories = Pick<Repositories, 'create' | 'path' | 'withSlot' | 'resolveRef' | 'setHead'> &
  StatisticsRepositories

/** The worker that fills repositories from other sources. */
export interface Imports {
  /** Wakes the worker: there is a new import. */
  wake: () => void
  /** Whether users may not connect to this IP address. */
  refuses: (address: string) => boolean
}

export interface CreateProjectDeps {
  database: Database
  secrets: SecretBox
  repositories: ProjectRepositories
  imports: Imports
}

/** Prefix of runner registration tokens of projects. */
export const RUNNER_REGISTRATION_PREFIX = 'GR1348941'

/**
 * Creates a project and its repository for `owner`, on behalf of `creator`. Throws `ApiError` for invalid
 * parameters (API, C1).
 */
export async function createProject(
  deps: CreateProjectDeps,
  params: CreateProject,
  creator: User,
  owner: User = creator,
): Promise<Project> {
  const defaults = await newProjectSettings(deps.database)
  const branch = firstBranchOf(params, defaults.default_branch_name ?? 'main')
  if (params.import_url) refuseSource('git', defaults)
  const source = params.import_url ? checkedImportUrl(params.import_url, deps.imports.refuses) : undefined
  const project = await inTransaction(deps.database, async (tx) => {
    const project = await createProjectRow(tx, deps, params, { creator, owner, defaults })
    if (source !== undefined) await importFrom(tx, deps, project, source, creator)
    return project
  })
  return source === undefined ? createRepository(deps, project, creator, branch) : project
}

interface NewProjectContext {
  creator: User
  owner: User
  /** What administrators have chosen for new projects. */
  defaults: Awaited<ReturnType<typeof newProjectSettings>>
}

/** Creates a project without its repository, which the caller creates. Throws as `createProject` does. */
export async function createProjectRow(
  tx: Transaction,
  deps: Pick<CreateProjectDeps, 'secrets'>,
  params: CreateProject,
  { creator, owner, defaults }: NewProjectContext,
): Promise<Project> {
  refuseTemplates(params)
  checkSettings(params, creator)
  const { name, path } = namesOf(params)
  const namespace = await namespaceFor(tx, params.namespace_id, owner)
  await refuseTooMany(tx, namespace, owner)
  const visibility = params.visibility ?? closed(defaults.default_project_visibility, namespace)
  refuseTooOpen(visibility, namespace)
  await refuseRestricted(tx, visibility, creator)
  refuseInstanceRunners(params, namespace)
  await refuseTaken(tx, namespace, { name, path })
  const settings = {
    ci_config_path: defaults.default_ci_config_path,
    shared_runners_enabled: defaults.shared_runners_enabled && namespace.shared_runners_setting === 'enabled',
    ...given(params),
    visibility,
  }
  const project = await insertProject(
    tx,
    newProject(deps, settings, { name, path }, namespace, creator),
    namespace.kind === 'user' ? owner.id : undefined,
  )
  await saveTopics(tx, project.id, topicsOf(params) ?? [])
  await copyDefaultRule(tx, project.id, namespace.kind === 'group' ? namespace.id : undefined)
  return project
}

/** What administrators have chosen for new projects. */
export function newProjectSettings(database: Database) {
  return effectiveSettings(
    database,
    ...(['default_branch_name', 'default_ci_config_path', 'default_project_visibility'] as const),
    ...(['import_sources', 'shared_runners_enabled'] as const),
  )
}

/** Throws 403 if administrators do not allow imports from there. */
export function refuseSource(
  source: 'git' | 'gitlab_project',
  { import_sources }: Pick<EffectiveSettings, 'import_sources'>,
): void {
  if (!import_sources.includes(source)) throw apiError('import_source_disabled', { source })
}

/** Without what is not given, which would hide the default. */
function given<Params extends object>(params: Params): Params {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined)) as Params
}

/** Adds an import; the import worker creates the repository. */
async function importFrom(
  tx: Transaction,
  { secrets, imports }: CreateProjectDeps,
  { id }: Project,
  url: string,
  user: User,
): Promise<void> {
  await addImport(tx, { project_id: id, user_id: user.id, source_url_encrypted: secrets.encrypt(url) })
  afterCommit(tx, () => imports.wake())
}

function refuseTemplates(params: CreateProject): void {
  const given = (['template_name', 'template_project_id', 'use_custom_template'] as const).find(
    (name) => params[name],
  )
  if (!given) return
  throw apiError('templates_not_supported', { parameter: given })
}

/** Branch of the README; undefined without a README. */
function firstBranchOf(params: CreateProject, usual: string): string | undefined {
  const { initialize_with_readme, default_branch: branch = usual } = params
  if (!initialize_with_readme) return undefined
  if (!isNewRefName(branch)) throw invalidRecord({ default_branch: ['is not a valid name of a branch'] })
  return branch
}

/** Derives the name from the path, or the path from the name, if only one is given. */
export function namesOf(params: Pick<CreateProject, 'name' | 'path'>): { name: string; path: string } {
  const name = params.name ?? params.path ?? ''
  const path = params.path ?? pathNameFrom(name)
  const problem = problemOfPathName(path, 'inside')
  if (problem) throw invalidRecord({ path: [problem] })
  return { name, path }
}

/** The namespace with this ID, or the personal one. Throws unless the user may create projects in it. */
async function namespaceFor(tx: Transaction, id: number | null | undefined, owner: User): Promise<Namespace> {
  const namespace = id ? await findNamespace(tx, id) : await findPersonalNamespace(tx, owner.id)
  return checkedNamespace(tx, namespace, owner)
}

/**
 * Throws unless the namespace exists and the user may create projects in it. The namespace is locked until
 * `tx` ends.
 */
export async function checkedNamespace(
  tx: Transaction,
  namespace: Namespace | undefined,
  owner: User,
): Promise<Namespace> {
  if (!namespace) throw notFound('Namespace')
  const refusal = await refusalToCreateIn(tx, namespace, owner)
  if (refusal) throw refusal
  return lockPlace(tx, namespace.id)
}

/**
 * Error if the user may not create projects in the namespace; a hidden namespace is reported as not found
 * (API, A15).
 */
export async function refusalToCreateIn(
  database: Database,
  namespace: Namespace,
  user: User,
): Promise<ApiError | undefined> {
  if (namespace.owner_id === user.id || user.is_admin) return undefined
  if (namespace.kind === 'user') return forbidden()
  const level = await memberLevelInGroup(database, user.id, namespace.id)
  if (level >= LEAST_LEVEL[namespace.project_creation_level]) return undefined
  return level === 0 && namespace.visibility === 'private' ? notFound('Namespace') : forbidden()
}

/** Throws 403 if the personal namespace has reached the project limit of its user (API, A4). */
export async function refuseTooMany(tx: Transaction, namespace: Namespace, owner: User): Promise<void> {
  if (namespace.kind !== 'user' || owner.is_admin) return
  const { projects_limit: most } = owner
  if ((await countProjects(tx, namespace.id)) < most) return
  throw apiError('project_limit_reached', { max: most })
}

/** Minimum access level to create projects in a group (API, A15). */
const LEAST_LEVEL = { developer: DEVELOPER, maintainer: MAINTAINER, noone: Infinity }

export function newProject(
  { secrets }: Pick<CreateProjectDeps, 'secrets'>,
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
    lfs_enabled: namespace.lfs_enabled,
    ...columnsOf(params),
    name,
    path,
    full_path: `${namespace.full_path}/${path}`,
    ...(params.import_url ? { import_status: 'scheduled' as const, import_type: 'git' as const } : {}),
    // A branch cannot be the default branch before it is pushed, whatever the client requests.
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

/** Creates the repository, and deletes the project again if git fails. */
async function createRepository(
  deps: CreateProjectDeps,
  project: Project,
  creator: User,
  branch: string | undefined,
): Promise<Project> {
  const { database, repositories } = deps
  try {
    await repositories.create(project.id)
    if (branch === undefined) return project
    const filled = await addReadme(deps, project, creator, branch)
    // Makes the path of the README available in the record at once.
    await updateProjectStatistics(deps, filled)
    return filled
  } catch (error) {
    await deleteProjectRow(database, project.id)
    throw error
  }
}
