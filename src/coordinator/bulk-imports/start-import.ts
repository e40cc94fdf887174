import type { User } from '../access/caller.js'
import { afterCommit, inTransaction } from '../database/transaction.js'
import { problemOfRemote } from '../egress/remote-repository.js'
import { newProjectSettings, refuseSource } from '../hosting/projects/create/create-project.js'
import { apiError, invalidRecord } from '../http/errors.js'
import { checkDestination } from './destination.js'
import type { BulkImportDeps } from './run.js'
import type { StartImport } from './schema.js'
import { type BulkImport, countOpenImports, insertEntities, insertImport } from './store.js'

/** Imports of one user that have not ended. */
const MAX_OPEN = 5

export interface StartImportDeps extends Pick<BulkImportDeps, 'database' | 'secrets'> {
  egress: Pick<BulkImportDeps['egress'], 'refuses'>
  /** Wakes the worker. */
  wake: () => void
}

/**
 * Stores an import, which the worker makes. Throws `ApiError` for an address that cannot be a source, and if the user may not
 * create the groups and projects.
 */
export async function startImport(
  deps: StartImportDeps,
  params: StartImport,
  user: User,
): Promise<BulkImport> {
  const { database, secrets, egress } = deps
  refuseSource('git', await newProjectSettings(database))
  const { url, access_token } = params.configuration
  const source_url = sourceUrl(url, (host) => egress.refuses(host))
  const token_encrypted = secrets.encrypt(checkedToken(access_token))
  const wanted = params.entities.map(destinationOf)
  for (const entity of wanted) await checkDestination(database, entity, user)
  return inTransaction(database, async (tx) => {
    if ((await countOpenImports(tx, user.id)) >= MAX_OPEN)
      throw apiError('bulk_imports_too_many', { max: MAX_OPEN })
    const values = { user_id: user.id, source_url, token_encrypted, dry_run: params.dry_run ?? false }
    const row = await insertImport(tx, values)
    await insertEntities(
      tx,
      wanted.map((entity) => ({ ...entity, bulk_import_id: row.id, parent_id: null })),
    )
    afterCommit(tx, deps.wake)
    return row
  })
}

/** Without user, query, fragment and trailing slashes. */
function sourceUrl(address: string, isRefused: (host: string) => boolean): string {
  const problem = problemOfRemote(address, isRefused)
  if (problem !== undefined) throw invalidRecord({ url: [problem] })
  const { origin, pathname, username, password } = new URL(address)
  if (username !== '' || password !== '')
    throw invalidRecord({ url: ['must not contain a user name or password'] })
  return `${origin}${pathname.replace(/\/+$/, '')}`
}

/** It becomes part of a header. */
function checkedToken(token: string): string {
  if (/^[\x21-\x7e]+$/.test(token)) return token
  throw invalidRecord({ access_token: ['must consist of visible ASCII characters'] })
}

function destinationOf(entity: StartImport['entities'][number]) {
  const {
    source_type,
    destination_namespace = '',
    migrate_projects = true,
    migrate_memberships = true,
  } = entity
  const source_full_path = entity.source_full_path.replace(/^\/+|\/+$/g, '')
  const slug = entity.destination_slug ?? entity.destination_name
  return {
    source_type,
    source_full_path,
    destination_slug: slug || (source_full_path.split('/').at(-1) ?? ''),
    destination_namespace: destination_namespace.replace(/^\/+|\/+$/g, ''),
    migrate_projects,
    migrate_memberships,
  }
}
