import type { Project, User } from '../../access/caller.js'
import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database } from '../../database/connect.js'
import { problemOfRemote } from '../../egress/remote-repository.js'
import { apiError, invalidRecord, notFound } from '../../http/errors.js'
import { presentMirrorUpdate } from '../present-mirror-update.js'
import type { EditMirror, NewMirror, RemoteMirror } from './schema.js'
import { findMirror, insertMirror, type MirrorRow, updateMirror } from './store.js'

export interface MirrorDeps {
  database: Database
  secrets: SecretBox
  /** Whether users may not connect to this IP address. */
  refuses: (address: string) => boolean
  /** Wakes the worker: there is something to push. */
  wake: () => void
}

/** Throws 400 for an invalid URL and for one that must not be reached from the server. */
export async function createMirror(
  deps: MirrorDeps,
  project: Project,
  user: User,
  { url, enabled = false, only_protected_branches = false, keep_divergent_refs = false }: NewMirror,
): Promise<MirrorRow> {
  const row = await insertMirror(deps.database, {
    project_id: project.id,
    user_id: user.id,
    url_encrypted: sealed(deps, url),
    enabled,
    only_protected_branches,
    keep_divergent_refs,
  })
  deps.wake()
  return row
}

/** Changes the given properties; the mirror is pushed to for the caller from then on. Throws 404 for an unknown mirror and 400 for an invalid URL. */
export async function editMirror(
  deps: MirrorDeps,
  project: Project,
  user: User,
  { mirror_id, url, enabled, only_protected_branches, keep_divergent_refs }: EditMirror,
): Promise<MirrorRow> {
  await existingMirror(deps.database, project, mirror_id)
  await updateMirror(deps.database, mirror_id, {
    user_id: user.id,
    ...(url !== undefined && { url_encrypted: sealed(deps, url), last_update_started_at: null }),
    ...(enabled !== undefined && { enabled }),
    ...(only_protected_branches !== undefined && { only_protected_branches }),
    ...(keep_divergent_refs !== undefined && { keep_divergent_refs }),
  })
  deps.wake()
  return existingMirror(deps.database, project, mirror_id)
}

/**
 * Makes a mirror due at once, also while it is being pushed to. It is still pushed to for the user who has saved it last.
 * Throws 404 for an unknown mirror and 400 for one that is disabled.
 */
export async function syncMirror(deps: MirrorDeps, project: Project, id: number): Promise<void> {
  const { enabled } = await existingMirror(deps.database, project, id)
  if (!enabled) throw apiError('push_mirror_disabled')
  await updateMirror(deps.database, id, { last_update_started_at: null })
  deps.wake()
}

export async function existingMirror(database: Database, project: Project, id: number): Promise<MirrorRow> {
  const row = await findMirror(database, project.id, id)
  if (!row) throw notFound()
  return row
}

function sealed({ secrets, refuses }: MirrorDeps, url: string): string {
  const problem = problemOfRemote(url, refuses)
  if (problem !== undefined) throw invalidRecord({ url: [problem] })
  return secrets.encrypt(url)
}

/** The record of a mirror, with the user name and password of its URL masked. */
export function presentMirror({ secrets }: Pick<MirrorDeps, 'secrets'>, row: MirrorRow): RemoteMirror {
  return {
    id: row.id,
    enabled: row.enabled,
    url: withoutCredentials(secrets.decrypt(row.url_encrypted)),
    only_protected_branches: row.only_protected_branches,
    keep_divergent_refs: row.keep_divergent_refs,
    ...presentMirrorUpdate(row),
  }
}

function withoutCredentials(address: string): string {
  const url = new URL(address)
  if (url.username === '' && url.password === '') return address
  if (url.username !== '') url.username = '*****'
  if (url.password !== '') url.password = '*****'
  return url.href
}
