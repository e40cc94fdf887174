import { type Key, parseKey } from 'sshpk'

import type { Project, User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { inTransaction } from '../../database/transaction.js'
import { invalidRecord, notFound } from '../../http/errors.js'
import { fullNamesOf } from '../../http/presenters/full-names.js'
import { isoTime, isoTimeOrNull } from '../../http/presenters/present-time.js'
import type { DeployKey, EditDeployKey, InstanceDeployKey, NewDeployKey } from './schema.js'
import {
  deleteUnusedKeys,
  type DeployKeyRow,
  disableKey,
  enableKey,
  findKey,
  findKeyByFingerprint,
  findProjectKey,
  insertKey,
  type KeyProject,
  type ProjectKeyRow,
  projectsOfKeys,
  updateRight,
  updateTitle,
} from './store.js'

export interface DeployKeyDeps {
  database: Database
  /** Whether the user may administer the deploy keys of the project. */
  mayAdminister: (user: User, projectId: number) => Promise<boolean>
}

/** Minimum size of an RSA key, in bits. */
const LEAST_RSA_BITS = 2048

/** Throws 404. */
export async function requireDeployKey(
  database: Database,
  project: Project,
  id: number,
): Promise<ProjectKeyRow> {
  const row = await findProjectKey(database, project.id, id)
  if (!row) throw notFound('Deploy Key')
  return row
}

/**
 * Adds a key to a project and returns it; a key that the project already has is returned unchanged. A key of
 * another project is enabled here if the user may use it. Throws 400 for an invalid key and for a key that
 * the user may not use (API, C5).
 */
export async function addKey(
  deps: DeployKeyDeps,
  project: Project,
  user: User,
  params: NewDeployKey,
): Promise<ProjectKeyRow> {
  const { database } = deps
  const key = readKey(params.key)
  const fingerprint = key.fingerprint('sha256').toString()
  await deleteUnusedKeys(database)
  const existing = await findKeyByFingerprint(database, fingerprint)
  if (existing) return enableExisting(deps, project, user, existing, params.can_push ?? false)
  const id = await inTransaction(database, async (tx) => {
    const row = await insertKey(tx, {
      creator_id: user.id,
      title: params.title,
      key: params.key.trim(),
      fingerprint: key.fingerprint('md5').toString('hex'),
      fingerprint_sha256: fingerprint,
      expires_at: params.expires_at ? Date.parse(params.expires_at) : null,
      created_at: Date.now(),
    })
    if (!row) throw taken()
    await enableKey(tx, project.id, row.id, params.can_push ?? false)
    return row.id
  })
  return requireDeployKey(database, project, id)
}

async function enableExisting(
  deps: DeployKeyDeps,
  project: Project,
  user: User,
  key: DeployKeyRow,
  canPush: boolean,
): Promise<ProjectKeyRow> {
  const here = await findProjectKey(deps.database, project.id, key.id)
  if (here) return here
  if (!(await mayUse(deps, user, key))) throw taken()
  await enableKey(deps.database, project.id, key.id, canPush)
  return requireDeployKey(deps.database, project, key.id)
}

/** Throws 404 for a key that the user may not use, as for one that does not exist. */
export async function enableKeyHere(
  deps: DeployKeyDeps,
  project: Project,
  user: User,
  id: number,
): Promise<ProjectKeyRow> {
  const key = await findKey(deps.database, id)
  if (!key || !(await mayUse(deps, user, key))) throw notFound('Deploy Key')
  await enableKey(deps.database, project.id, key.id, false)
  return requireDeployKey(deps.database, project, key.id)
}

export async function editKey(
  database: Database,
  project: Project,
  { key_id, title, can_push }: EditDeployKey,
): Promise<ProjectKeyRow> {
  const key = await requireDeployKey(database, project, key_id)
  if (title !== undefined) await updateTitle(database, key.id, title)
  if (can_push !== undefined) await updateRight(database, project.id, key.id, can_push)
  return requireDeployKey(database, project, key_id)
}

export async function disableProjectKey(database: Database, project: Project, id: number): Promise<void> {
  const key = await requireDeployKey(database, project, id)
  await inTransaction(database, (tx) => disableKey(tx, project.id, key.id))
}

/** The creator of the key, administrators, and users who administer a project with the key may use it. */
async function mayUse(deps: DeployKeyDeps, user: User, key: DeployKeyRow): Promise<boolean> {
  if (user.is_admin || key.creator_id === user.id) return true
  for (const { id } of await projectsOfKeys(deps.database, [key.id])) {
    if (await deps.mayAdminister(user, id)) return true
  }
  return false
}

/** Throws 400 for an invalid public key and for one that is too weak. */
function readKey(text: string): Key {
  const key = parsed(text.trim())
  if (!key) throw invalidRecord({ 'deploy_key.key': ['must be a valid OpenSSH public key'] })
  if (key.type === 'dsa' || (key.type === 'rsa' && key.size < LEAST_RSA_BITS)) {
    throw invalidRecord({
      'deploy_key.key': [`is too weak: use ED25519, ECDSA or RSA of ${LEAST_RSA_BITS} bits`],
    })
  }
  return key
}

function parsed(text: string): Key | undefined {
  // OpenSSH reads one key per line. A private key has several lines, and is never stored.
  if (/[\r\n]/.test(text) || !/^(?:ssh-|ecdsa-|sk-)/.test(text)) return undefined
  try {
    return parseKey(text, 'ssh')
  } catch {
    return undefined // the user gets one message for every parse error
  }
}

function taken(): Error {
  return invalidRecord({ 'deploy_key.fingerprint': ['has already been taken'] })
}

export function presentKey(row: ProjectKeyRow): DeployKey {
  return { ...factsOf(row), can_push: row.can_push }
}

/** Presents keys with the projects that have them. */
export async function presentAllKeys(database: Database, rows: DeployKeyRow[]): Promise<InstanceDeployKey[]> {
  const projects = await projectsOfKeys(
    database,
    rows.map(({ id }) => id),
  )
  const fullNames = await fullNamesOf(database, projects)
  const presentProject = ({ id, description, name, path, full_path, created_at }: KeyProject) => ({
    id,
    description,
    name,
    name_with_namespace: fullNames.get(id) ?? name,
    path,
    path_with_namespace: full_path,
    created_at: isoTime(created_at),
  })
  return rows.map((row) => {
    const own = projects.filter(({ deploy_key_id }) => deploy_key_id === row.id)
    return {
      ...factsOf(row),
      projects_with_write_access: own.filter(({ can_push }) => can_push).map(presentProject),
      projects_with_readonly_access: own.filter(({ can_push }) => !can_push).map(presentProject),
    }
  })
}

function factsOf({ id, title, key, fingerprint, fingerprint_sha256, created_at, expires_at }: DeployKeyRow) {
  return {
    id,
    title,
    key,
    fingerprint,
    fingerprint_sha256,
    created_at: isoTime(created_at),
    expires_at: isoTimeOrNull(expires_at),
  }
}
