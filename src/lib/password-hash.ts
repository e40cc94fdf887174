import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto'

import PQueue from 'p-queue'

import { SwitchyardError } from './errors.js'

/**
 * About 30 ms and 32 MB per check. The parameters are stored with each hash, so they can be raised while old hashes
 * stay valid.
 */
const COST = { N: 32_768, r: 8, p: 1 }
const SALT_BYTES = 16
const KEY_BYTES = 32

/** In characters. The time to normalize a text grows with the square of its length. */
const MAX_PASSWORD_LENGTH = 1024

/** Fewer than the threads of Node.js, so that files can still be read and written during a flood of requests. */
const CONCURRENCY = 2
/** Maximum number of waiting checks: about two seconds of work. */
const MAX_QUEUE_LENGTH = 100

const queue = new PQueue({ concurrency: CONCURRENCY })

/** More password checks are waiting than can be processed in a few seconds. */
export class PasswordQueueFullError extends SwitchyardError {
  readonly name = 'PasswordQueueFullError'
  readonly code = 'PASSWORD_QUEUE_FULL'
  /** Status of the HTTP response. */
  readonly statusCode = 503
}

/** A hash that no password matches, to spend the time of a check without a result. */
export const UNMATCHED_HASH = encode(Buffer.alloc(SALT_BYTES), Buffer.alloc(KEY_BYTES))

/** Hashes a password for storage: `scrypt$N$r$p$salt$key`, with salt and key in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  return encode(salt, await queue.add(() => derive(password, salt, COST)))
}

/**
 * Whether the hash is that of the password. Throws `TypeError` for a text that `hashPassword` did not create, and
 * `PasswordQueueFullError` if too many checks are waiting.
 */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [scheme, N, r, p, salt, key] = hash.split('$')
  if (scheme !== 'scrypt' || !salt || !key) throw new TypeError('This is not a password hash')
  if (queue.size >= MAX_QUEUE_LENGTH) throw new PasswordQueueFullError('Too many passwords are being checked')
  const wanted = Buffer.from(key, 'base64url')
  const isTooLong = password.length > MAX_PASSWORD_LENGTH
  const cost = { N: Number(N), r: Number(r), p: Number(p) }
  const found = await queue.add(() => derive(isTooLong ? '' : password, Buffer.from(salt, 'base64url'), cost))
  return !isTooLong && found.length === wanted.length && timingSafeEqual(found, wanted)
}

function encode(salt: Buffer, key: Buffer): string {
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

/** Texts that differ only in the encoding of accents are the same password. */
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
