import { pathNameFrom, problemOfPathName } from '../../../../addresses/path-name.js'
import { apiErrorMessage } from '../../../../error-catalogue/api-errors.js'
import { newToken, tokenDigest } from '../../../../lib/tokens.js'
import type { Project, User } from '../../../access/caller.js'
import { afterCommit, inTransaction, type Transaction } from '../../../database/transaction.js'
import { isUniqueViolation } from '../../../database/unique-violation.js'
import { ApiError, invalidRecord, notFound } from '../../../http/errors.js'
import { lockPlace } from '../../paths/lock-path.js'
import { refuseRestricted } from '../../restricted-visibility.js'
import {
  type CreateProjectDeps,
  refusalToCreateIn,
  refuseTooMany,
  RUNNER_REGISTRATION_PREFIX,
} from '../create/create-project.js'
import { addImport } from '../import-store.js'
import { closed, isMoreOpen, refuseTooOpen, unrestricted } from '../settings/visibility.js'
import {
  findNamespaceBy,
  findPersonalNamespace,
  insertProject,
  type Namespace,
  takenNames,
} from '../store.js'
import type { ForkProject } from './schema.js'

/** Settings that a fork copies from its source. */
const COPIED = [
  ...([
    'description',
    'ci_config_path',
    'ci_default_git_depth',
    'build_timeout',
    'build_git_strategy',
  ] as const),
  ...(['build_coverage_regex', 'public_jobs', 'keep_latest_artifact', 'merge_method'] as const),
  ...(['auto_cancel_pending_pipelines', 'lfs_enabled', 'repository_access_level'] as const),
  ...(['builds_access_level', 'forking_access_level', 'releases_access_level'] as const),
  ...(['environments_access_level', 'issues_access_level', 'merge_requests_access_level'] as const),
  ...(['wiki_access_level', 'snippets_access_level', 'pages_access_level'] as const),
]

/**
 * Forks a project into a namespace in which the user may create projects. The import worker copies the
 * repository; `import_status` shows the progress (API, C2).
 */
export async function forkProject(
  deps: CreateProjectDeps,
  source: Project,
  params: ForkProject,
  user: User,
): Promise<Project> {
  const { name, path } = namesOf(source, params)
  try {
    return await inTransaction(deps.database, async (tx) => {
      const namespace = await targetOf(tx, params, user)
      await refuseTooMany(tx, namespace, user)
      await refuseTaken(tx, namespace, { name, path })
      const visibility = await visibilityOf(tx, { source, namespace, user }, params)
      const fork = await insertProject(
        tx,
        {
          ...copiedFrom(source, params),
          ...freshFor(deps, user),
          name,
          path,
          visibility,
          ...namespaceValues(namespace, path),
          forked_from_id: source.id,
        },
        namespace.kind === 'user' ? (namespace.owner_id ?? user.id) : undefined,
      )
      const branch = params.branches || undefined
      await addImport(tx, { project_id: fork.id, source_project_id: source.id, user_id: user.id, branch })
      afterCommit(tx, () => deps.imports.wake())
      return fork
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw taken({ name: true, path: true })
    throw error
  }
}

function namesOf(source: Project, params: ForkProject): { name: string; path: string } {
  const name = params.name ?? params.path ?? source.name
  const path = params.path ?? (params.name === undefined ? source.path : pathNameFrom(params.name))
  const problem = problemOfPathName(path, 'inside')
  if (problem) throw invalidRecord({ path: [problem] })
  return { name, path }
}

async function targetOf(tx: Transaction, params: ForkProject, user: User): Promise<Namespace> {
  const given = params.namespace_id ?? params.namespace_path ?? params.namespace
  const namespace =
    given === undefined || given === ''
      ? await findPersonalNamespace(tx, user.id)
      : await findNamespaceBy(tx, String(given))
  if (!namespace || (await refusalToCreateIn(tx, namespace, user))) throw notFound('Target Namespace')
  return lockPlace(tx, namespace.id)
}

async function refuseTaken(tx: Transaction, namespace: Namespace, names: { name: string; path: string }) {
  const found = await takenNames(tx, namespace.id, names)
  if (found.name || found.path) throw taken(found)
}

function taken({ name, path }: { name: boolean; path: boolean }): ApiError {
  const problem = ['has already been taken']
  return new ApiError('fork_name_taken', {
    message: { ...(name ? { name: problem } : {}), ...(path ? { path: problem } : {}) },
  })
}

/** A fork must not be more visible than its source. */
async function visibilityOf(
  tx: Transaction,
  { source, namespace, user }: { source: Project; namespace: Namespace; user: User },
  { visibility }: ForkProject,
) {
  if (visibility === undefined) return unrestricted(tx, closed(source.visibility, namespace), user)
  refuseTooOpen(visibility, namespace)
  await refuseRestricted(tx, visibility, user)
  if (!isMoreOpen(visibility, source.visibility)) return visibility
  const problem = apiErrorMessage('fork_too_visible', { visibility })
  throw new ApiError('fork_too_visible', { message: { visibility_level: [problem] } })
}

function copiedFrom(source: Project, { description }: ForkProject) {
  const copied: Pick<Project, (typeof COPIED)[number]> = source
  const settings = Object.fromEntries(COPIED.map((column) => [column, copied[column]]))
  return { ...settings, ...(description === undefined ? {} : { description }) }
}

function freshFor({ secrets }: CreateProjectDeps, user: User) {
  const now = Date.now()
  const runnersToken = newToken(RUNNER_REGISTRATION_PREFIX)
  return {
    creator_id: user.id,
    import_status: 'scheduled' as const,
    import_type: 'fork' as const,
    runners_token_digest: tokenDigest(runnersToken),
    runners_token_encrypted: secrets.encrypt(runnersToken),
    created_at: now,
    updated_at: now,
    last_activity_at: now,
  }
}

function namespaceValues(namespace: Namespace, path: string) {
  return {
    namespace_id: namespace.id,
    full_path: `${namespace.full_path}/${path}`,
    shared_runners_enabled: namespace.shared_runners_setting === 'enabled',
  }
}
