import { randomBytes, scryptSync } from 'node:crypto'

import type { Database } from '../../../src/coordinator/database/connect.js'

const COST = { N: 16, r: 1, p: 1 }

/**
 * Replaces the stored hash of every password with a hash of `password` that takes no time to check: the cost is stored
 * with each hash. For tests that check a password many times.
 */
export async function makeChecksCheap(database: Database, password: string): Promise<void> {
  const salt = randomBytes(16)
  const key = scryptSync(password, salt, 32, COST)
  const hash = ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')]
  await database
    .updateTable('user_password')
    .set({ hash: hash.join('$') })
    .execute()
}
