import { newToken, tokenDigest } from '../../../lib/tokens.js'
import type { Project } from '../../access/caller.js'
import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database } from '../../database/connect.js'
import { findSetting, setSetting } from '../../database/stores/instance-setting-store.js'
import { setNamespaceColumns } from '../../database/stores/namespace-store.js'
import { setProjectColumns } from '../../database/stores/project-store.js'

/** Key in `instance_setting`; the value is the encrypted registration token of the instance. */
export const INSTANCE_REGISTRATION_TOKEN = 'runner_registration_token'

/** Runner protocol, 1.1. */
export const REGISTRATION_TOKEN_PREFIX = 'GR1348941'

/** The owner of the runners that a registration token creates. */
export type RegistrationScope =
  | { type: 'instance_type' }
  | { type: 'group_type'; groupId: number }
  | { type: 'project_type'; projectId: number }

/** Undefined for an invalid token. */
export async function scopeOfRegistrationToken(
  database: Database,
  secrets: SecretBox,
  token: string,
): Promise<RegistrationScope | undefined> {
  const digest = tokenDigest(token)
  if (digest === (await instanceTokenDigest(database, secrets))) return { type: 'instance_type' }
  const group = await idOfTokenDigest(database, 'namespace', digest)
  if (group !== undefined) return { type: 'group_type', groupId: group }
  const project = await idOfTokenDigest(database, 'project', digest)
  return project === undefined ? undefined : { type: 'project_type', projectId: project }
}

async function idOfTokenDigest(
  database: Database,
  table: 'namespace' | 'project',
  digest: string,
): Promise<number | undefined> {
  const row = await database
    .selectFrom(table)
    .select('id')
    .where('runners_token_digest', '=', digest)
    .executeTakeFirst()
  return row?.id
}

/**
 * Replaces the registration token of the instance. The new token is returned only once and stored encrypted.
 */
export async function resetInstanceRegistrationToken(
  database: Database,
  secrets: SecretBox,
): Promise<string> {
  const token = newToken(REGISTRATION_TOKEN_PREFIX)
  await setSetting(database, INSTANCE_REGISTRATION_TOKEN, secrets.encrypt(token))
  return token
}

/** Makes or replaces the token of a group. */
export async function resetGroupRegistrationToken(
  database: Database,
  secrets: SecretBox,
  groupId: number,
): Promise<string> {
  const token = newToken(REGISTRATION_TOKEN_PREFIX)
  await setNamespaceColumns(database, groupId, tokenColumns(secrets, token))
  return token
}

export async function resetProjectRegistrationToken(
  database: Database,
  secrets: SecretBox,
  project: Project,
): Promise<string> {
  const token = newToken(REGISTRATION_TOKEN_PREFIX)
  await setProjectColumns(database, project.id, tokenColumns(secrets, token))
  return token
}

function tokenColumns(secrets: SecretBox, token: string) {
  return { runners_token_digest: tokenDigest(token), runners_token_encrypted: secrets.encrypt(token) }
}

/** Compares digests, so that the duration discloses nothing about the token. */
async function instanceTokenDigest(database: Database, secrets: SecretBox): Promise<string | undefined> {
  const encrypted = await findSetting(database, INSTANCE_REGISTRATION_TOKEN)
  return encrypted === undefined ? undefined : tokenDigest(secrets.decrypt(encrypted))
}
