import { openBlobStore } from '../ci/storage/open-blob-store.js'
import { openSecretBox } from '../crypto/secret-box.js'
import {
  addSecretKey,
  deleteOldSecretKeys,
  readSecretKeys,
  SecretKeyError,
  secretKeyFile,
} from '../crypto/secret-keys.js'
import { connectDatabase } from '../database/connect.js'
import { refuseMovedDatabase } from '../database/move/move-state.js'
import { requireReleasedSchema } from '../database/recorded-schema.js'
import type { CoordinatorSettings } from './config/settings.js'
import { type ResealResult, resealSecrets } from './reseal-secrets.js'

/** A coordinator at work reads the file every `RELOAD_SECONDS`, and seals with the old key until then. */
export const RELOAD_SECONDS = 30
const SECONDS_BEFORE_REMOVAL = 10 * RELOAD_SECONDS

export interface Rotation extends ResealResult {
  /** Id of the current key. */
  keyId: string
  /** Keys that still open secrets, beside that one. */
  oldKeys: number
}

type Settings = Pick<CoordinatorSettings, 'dataDir' | 'sharedDir' | 'database' | 'storage'>

/** Adds a key, unless an earlier rotation has not been completed, and seals everything with the newest one. */
export async function rotateSecretKey(settings: Settings): Promise<Rotation> {
  const file = secretKeyFile(settings.sharedDir)
  if (keysOf(file).length === 1) await addSecretKey(file)
  return reseal(settings)
}

/**
 * Completes a rotation: re-encrypts secrets that coordinators have encrypted with an old key in the meantime,
 * and deletes the old keys. Throws `SecretKeyError` if it is too early or a secret cannot be decrypted.
 */
export async function deleteOldKeys(settings: Settings, now = Date.now()): Promise<Rotation> {
  const file = secretKeyFile(settings.sharedDir)
  const [current] = keysOf(file)
  const wait = SECONDS_BEFORE_REMOVAL - (now - (current?.addedAt ?? 0)) / 1000
  if (wait > 0) {
    throw new SecretKeyError(
      `The new key was added less than ${SECONDS_BEFORE_REMOVAL / 60} minutes ago, and a coordinator at work may still ` +
        `encrypt with the old one. Try again in ${Math.ceil(wait)} seconds.`,
    )
  }
  const rotation = await reseal(settings)
  if (rotation.unreadable.length > 0) {
    throw new SecretKeyError(
      `No key opens ${rotation.unreadable.length} secrets (${[...new Set(rotation.unreadable)].join(', ')}), so the old ` +
        'keys are kept. Add the missing key to secret.key, or set or delete these secrets.',
    )
  }
  await deleteOldSecretKeys(file)
  return { ...rotation, oldKeys: 0 }
}

async function reseal({ dataDir, sharedDir, database: settings, storage }: Settings): Promise<Rotation> {
  const secrets = await openSecretBox(sharedDir)
  const blobs = await openBlobStore({ storage, dataDir, sharedDir })
  const database = connectDatabase(settings)
  try {
    await refuseMovedDatabase(database, settings.dialect)
    await requireReleasedSchema(database, settings)
    const result = await resealSecrets({ database, dialect: settings.dialect, blobs, secrets })
    return {
      ...result,
      keyId: secrets.prefix.slice(0, -1),
      oldKeys: keysOf(secretKeyFile(sharedDir)).length - 1,
    }
  } finally {
    await database.destroy()
    await blobs.close()
  }
}

function keysOf(file: string) {
  try {
    return readSecretKeys(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new SecretKeyError(
      `${file} does not exist. Name the data folder of the coordinator with --data-dir.`,
    )
  }
}
