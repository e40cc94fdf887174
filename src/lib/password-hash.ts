import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto'

import PQueue from 'p-queue'

import { SwitchyardError } from './errors.js'

/** About 30 ms and 32 MB a check. Kept with each hash, so that they can be raised: old hashes stay readable. */
const COST = { N: 32_768, r: 8, p: 1 }
const SALT_BYTES = 16
const KEY_BYTES = 32

/** Characters. Normalizing a text takes a time that grows with the square of its length. */
const LONGEST_PASSWORD = 1024

/** Fewer than the threads that Node.js has for all slow work, so that files are read and written during a flood. */
const CONCURRENCY = 2
/** Checks that wait: about two seconds of work. */
const LONGEST_QUEUE = 100

const queue = new PQueue({ concurrency: CONCURRENCY })

/** More checks of passwords are waiting than can be answered in a few seconds. */
export class PasswordQueueFullError extends SwitchyardError {
  readonly name = 'PasswordQueueFullError'
  readonly code = 'PASSWORD_QUEUE_FULL'
  /** Of the answer over HTTP. */
  readonly statusCode = 503
}

/** A hash that no password has, for the work of a check without its result. */
export const UNMATCHED_HASH = encode(Buffer.alloc(SALT_BYTES), Buffer.alloc(KEY_BYTES))

/** What may be kept of a password: `scrypt$N$r$p$salt$key`, salt and key in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  return encode(salt, await queue.add(() => derive(password, salt, COST)))
}

/**
 * Whether it is the password that was hashed; throws `TypeError` for what `hashPassword` has not written, and
 * `PasswordQueueFullError` when too many checks are waiting.
 */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [scheme, N, r, p, salt, key] = hash.split('$')
  if (scheme !== 'scrypt' || !salt || !key) throw new TypeError('This is no hash of a password')
  if (queue.size >= LONGEST_QUEUE) throw new PasswordQueueFullError('Too many passwords are being checked')
  const wanted = Buffer.from(key, 'base64url')
  const isTooLong = password.length > LONGEST_PASSWORD
  const cost = { N: Number(N), r: Number(r), p: Number(p) }
  const found = await queue.add(() => derive(isTooLong ? '' : password, Buffer.from(salt, 'base64url'), cost))
  return !isTooLong && found.length === wanted.length && timingSafeEqual(found, wanted)
}

function encode(salt: Buffer, key: Buffer): string {
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

/** The same text is the same password, however its accents were typed. */
function derive(
  password: string,
  salt: Buffer,
  { N, r, p }: { N: number; r: number; p: number },
): Promise<Buffer> {
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r }
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}
