import crypto, { type BinaryLike, type ScryptOptions } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

const CHEAP = { N: 16, r: 1, p: 1 }

type Scrypt = (
  password: BinaryLike,
  salt: BinaryLike,
  length: number,
  options: ScryptOptions,
  callback: (error: Error | null, key: Buffer) => void,
) => void

// To check a password takes an eighth of a second of a processor, and these tests check hundreds. Hashes still name the
// real cost, which `unauthenticated-cost/passwords.isolated.test.ts` and all processes pay. Tests that store a cheap hash
// of their own keep its cost.
const derive: Scrypt = crypto.scrypt
const deriveCheaply: Scrypt = (password, salt, length, options, callback) =>
  derive(password, salt, length, (options.N ?? 0) > 1024 ? { ...options, ...CHEAP } : options, callback)
Object.assign(crypto, { scrypt: deriveCheaply })
syncBuiltinESMExports()
