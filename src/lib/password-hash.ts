import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto'

/** About 30 ms and 32 MB a check. Kept with each hash, so that they can be raised: old hashes stay readable. */
const COST = { N: 32_768, r: 8, p: 1 }
const SALT_BYTES = 16
const KEY_BYTES = 32

/** What may be kept of a password: `scrypt$N$r$p$salt$key`, salt and key in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const key = await derive(password, salt, COST)
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

/** Whether it is the password that was hashed; throws `TypeError` for what `hashPassword` has not written. */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [scheme, N, r, p, salt, key] = hash.split('$')
  if (scheme !== 'scrypt' || !salt || !key) throw new TypeError('This is no hash of a password')
  const wanted = Buffer.from(key, 'base64url')
  const found = await derive(password, Buffer.from(salt, 'base64url'), {
    N: Number(N),
    r: Number(r),
    p: Number(p),
  })
  return found.length === wanted.length && timingSafeEqual(found, wanted)
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
