import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { createFile, replaceFile } from '../../lib/files.js'
import { newToken, tokenDigest } from '../../lib/tokens.js'
import { insertUser } from '../accounts/users/store.js'
import { insertToken } from '../accounts/users/tokens/store.js'
import { INSTANCE_REGISTRATION_TOKEN, REGISTRATION_TOKEN_PREFIX } from '../ci/runners/registration-tokens.js'
import type { SecretBox } from '../crypto/secret-box.js'
import { SecretKeyError } from '../crypto/secret-keys.js'
import type { Database } from '../database/connect.js'
import {
  existingSetting,
  findSetting,
  insertSetting,
  setSetting,
} from '../database/stores/instance-setting-store.js'
import { openSetUp } from '../database/stores/set-up-store.js'
import { inTransaction } from '../database/transaction.js'
import { isUniqueViolation } from '../database/unique-violation.js'
import { PERSONAL_TOKEN_PREFIX } from '../http/authentication/credential.js'
import type { CoordinatorSecrets } from './config/settings.js'

export interface FirstStartDeps {
  database: Database
  secrets: SecretBox
  dataDir: string
}

export const ADMIN_TOKEN_FILE = 'admin-token'
const REGISTRATION_TOKEN_FILE = 'runner-registration-token'

/**
 * Creates the first administrator, `root`, in an empty store, with a token that has all permissions. A
 * generated token is written to `<dataDir>/admin-token` (mode 0600), and its path is returned.
 */
export async function ensureAdministrator(
  { database, dataDir }: FirstStartDeps,
  chosen: CoordinatorSecrets['adminToken'],
): Promise<string | undefined> {
  if (await hasUsers(database)) return undefined
  if (chosen) {
    await createRoot(database, chosen)
    return undefined
  }
  const path = join(dataDir, ADMIN_TOKEN_FILE)
  // Before the account: a start that is killed between the two leaves a file that the next start uses.
  const token = await tokenIn(path)
  if (await createRoot(database, token)) return path
  // Another coordinator has created the account. It used the same token on the same data folder.
  if (!(await isTokenKnown(database, token))) await rm(path, { force: true })
  return undefined
}

async function tokenIn(path: string): Promise<string> {
  const made = newToken(PERSONAL_TOKEN_PREFIX)
  if (await createFile(path, `${made}\n`)) return made
  const kept = (await readFile(path, 'utf8')).trim()
  if (kept.startsWith(PERSONAL_TOKEN_PREFIX) && kept.length === made.length) return kept
  await writeSecret(path, made)
  return made
}

async function isTokenKnown(database: Database, token: string): Promise<boolean> {
  const row = await database
    .selectFrom('personal_access_token')
    .select('id')
    .where('digest', '=', tokenDigest(token))
    .executeTakeFirst()
  return row !== undefined
}

/** False if there is a user already. One of several coordinators that start together succeeds. */
async function createRoot(database: Database, token: string): Promise<boolean> {
  try {
    return await inTransaction(database, async (tx) => {
      if (await hasUsers(tx)) return false
      const root = await insertUser(tx, {
        username: 'root',
        name: 'Administrator',
        email: 'root@localhost',
        is_admin: true,
      })
      const scopes = ['api', 'sudo']
      await openSetUp(tx)
      await insertToken(tx, token, { user_id: root.id, name: 'first start', scopes, expires_at: null })
      return true
    })
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
}

async function hasUsers(database: Database): Promise<boolean> {
  return (await database.selectFrom('user').select('id').limit(1).executeTakeFirst()) !== undefined
}

/**
 * Stores the registration token of the instance: the configured one, the existing one, or a new one. A plain
 * copy is written to `<dataDir>/runner-registration-token` (mode 0600), and its path is returned.
 */
export async function ensureRegistrationToken(
  { database, secrets, dataDir }: FirstStartDeps,
  chosen: CoordinatorSecrets['registrationToken'],
): Promise<string> {
  const stored = await findSetting(database, INSTANCE_REGISTRATION_TOKEN)
  if (stored !== undefined) requireKeyOf(stored, secrets)
  const value = secrets.encrypt(chosen ?? newToken(REGISTRATION_TOKEN_PREFIX))
  const store = chosen ? setSetting : insertSetting
  await store(database, INSTANCE_REGISTRATION_TOKEN, value)
  const kept = await existingSetting(database, INSTANCE_REGISTRATION_TOKEN)
  const path = join(dataDir, REGISTRATION_TOKEN_FILE)
  await writeSecret(path, secrets.decrypt(kept))
  return path
}

/**
 * A coordinator with a key of its own would store secrets that the others cannot read. Its repositories would be missing
 * too: the key is in the same folder.
 */
function requireKeyOf(sealed: string, secrets: SecretBox): void {
  try {
    secrets.decrypt(sealed)
  } catch (error) {
    throw new SecretKeyError(
      'The secrets in the database were encrypted with another secret.key. Set data_dir, or shared_dir with several ' +
        'coordinators, to the folder of this installation, or restore secret.key there from a backup.',
      { cause: error },
    )
  }
}

async function writeSecret(path: string, secret: string): Promise<void> {
  await replaceFile(path, `${secret}\n`, { flush: true })
}
