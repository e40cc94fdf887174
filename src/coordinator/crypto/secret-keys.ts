import { createHash, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { SwitchyardError } from '../../lib/errors.js'
import { createFile, readIfThere, replaceFile } from '../../lib/files.js'

const KEY_BYTES = 32
const ID_CHARACTERS = 8

export class SecretKeyError extends SwitchyardError {
  readonly name = 'SecretKeyError'
  readonly code = 'SECRET_KEY'
}

export interface SecretKey {
  /** Identifies the key in encrypted values; discloses nothing about the key. */
  id: string
  key: KeyObject
  /** Milliseconds since 1970; undefined for the key of the first start. */
  addedAt: number | undefined
}

export function secretKeyFile(dataDir: string): string {
  return join(dataDir, 'secret.key')
}

export function secretKey(bytes: Buffer, addedAt?: number): SecretKey {
  const id = createHash('sha256').update('switchyard secret key\n').update(bytes).digest('hex')
  return { id: id.slice(0, ID_CHARACTERS), key: createSecretKey(bytes), addedAt }
}

/**
 * Reads the keys in the file, one per line. The first one encrypts, the others only decrypt. A line contains
 * the key in base64 and the time when it was added. Throws `SecretKeyError` for a file without a key or with
 * an invalid line.
 */
export function readSecretKeys(file: string): SecretKey[] {
  return parse(readFileSync(file, 'utf8'), file)
}

/** Makes the file (mode 0600) with one key unless it exists. */
export async function ensureSecretKeyFile(file: string): Promise<void> {
  if ((await readIfThere(file)) !== undefined) return
  await createFile(file, randomBytes(KEY_BYTES).toString('base64') + '\n')
}

/** Adds a new key, which encrypts from now on. The other keys stay, to decrypt older values. */
export async function addSecretKey(file: string, now = Date.now()): Promise<void> {
  const line = `${randomBytes(KEY_BYTES).toString('base64')} ${new Date(now).toISOString()}\n`
  await change(file, (text) => line + text)
}

/** Leaves the key that seals alone in the file. */
export async function deleteOldSecretKeys(file: string): Promise<void> {
  await change(file, (text) => `${linesOf(text)[0] ?? ''}\n`)
}

/** Fails without a change if another process changes the file at the same time. */
async function change(file: string, edit: (text: string) => string): Promise<void> {
  const before = await readFile(file, 'utf8')
  parse(before, file)
  const lastLook = async () => (await readFile(file, 'utf8')) === before
  if (!(await replaceFile(file, edit(before), { flush: true, lastLook }))) {
    throw new SecretKeyError(
      `${file} was changed by another process at the same time. Run the command again.`,
    )
  }
}

function parse(text: string, file: string): SecretKey[] {
  const lines = linesOf(text)
  if (lines.length === 0) throw new SecretKeyError(`${file} is empty. ${REMEDY}`)
  return lines.map((line, index) => {
    const [encoded = '', added] = line.split(/\s+/)
    const bytes = Buffer.from(encoded, 'base64')
    if (bytes.length !== KEY_BYTES) {
      const where = lines.length > 1 ? `line ${index + 1} of ${file}` : file
      throw new SecretKeyError(`${where} does not contain a key of ${KEY_BYTES} bytes in base64. ${REMEDY}`)
    }
    return secretKey(bytes, added === undefined ? undefined : Date.parse(added))
  })
}

const REMEDY = 'Restore it from a backup: without its keys the secrets in the database cannot be read.'

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
