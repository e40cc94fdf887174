import { newToken, tokenDigest } from '../../../lib/tokens.js'
import type { Project, User } from '../../access/caller.js'
import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database } from '../../database/connect.js'
import { checkRoom } from '../../http/check-room.js'
import { notFound } from '../../http/errors.js'
import { findTrigger, insertTrigger, type TriggerRow, triggersOf, updateTrigger } from '../trigger-store.js'
import type { NewTrigger } from './schema.js'

export interface TriggerDeps {
  database: Database
  secrets: SecretBox
}

const PREFIX = 'glptt-'
const SHORT = 4
/** Per project (CI language, 18). */
const MAX_TRIGGERS = 25_000

/** Throws 404. */
export async function requireTrigger(
  { database }: Pick<TriggerDeps, 'database'>,
  project: Project,
  id: number,
): Promise<TriggerRow> {
  const trigger = await findTrigger(database, project.id, id)
  if (!trigger) throw notFound('Trigger')
  return trigger
}

export async function createTrigger(
  { database, secrets }: TriggerDeps,
  project: Project,
  owner: User,
  { description, expires_at }: NewTrigger,
): Promise<TriggerRow> {
  await checkRoom(triggersOf(database, project.id), { most: MAX_TRIGGERS, what: 'pipeline triggers' })
  const secret = newToken()
  const token = PREFIX + secret
  const now = Date.now()
  return insertTrigger(database, {
    project_id: project.id,
    owner_id: owner.id,
    description,
    token_digest: tokenDigest(token),
    token_encrypted: secrets.encrypt(token),
    short_token: secret.slice(0, SHORT),
    expires_at: expires_at ? Date.parse(expires_at) : null,
    created_at: now,
    updated_at: now,
  })
}

/** Throws 404 if it was deleted in the meantime. */
export async function changeTrigger(
  { database }: Pick<TriggerDeps, 'database'>,
  trigger: TriggerRow,
  changes: { description?: string; owner_id?: number },
): Promise<TriggerRow> {
  const changed = await updateTrigger(database, trigger.id, { ...changes, updated_at: Date.now() })
  if (!changed) throw notFound('Trigger')
  return changed
}
