import { createHash, scrypt, type ScryptOptions } from 'node:crypto'

import { beforeEach, describe, expect, test, vi } from 'vitest'

import { createUser } from '../../../src/coordinator/accounts/users/account/create-user.js'
import type { Database } from '../../../src/coordinator/database/connect.js'
import { Authenticator } from '../../../src/coordinator/http/authentication/authenticator.js'
import { authenticateGit } from '../../../src/coordinator/http/authentication/git-credentials.js'
import { Passwords } from '../../../src/coordinator/http/authentication/passwords.js'
import { PASSWORDS_FROM_ADDRESS } from '../../../src/coordinator/http/rate-limits/shared-counts.js'
import { openSqlite } from '../../support/databases.js'

vi.mock('node:crypto', { spy: true })

const PASSWORD = 'correct horse battery'

/** An account in each state in which it refuses a password. */
const ACCOUNTS: Record<string, (database: Database, authenticator: Authenticator) => Promise<unknown>> = {
  'that does not exist': () => Promise.resolve(),
  'that exists': (database) => addMary(database),
  'that is locked': async (database, authenticator) => {
    await addMary(database)
    for (let time = 0; time < PASSWORDS_FROM_ADDRESS; time++) {
      await authenticator.identifyByPassword('mary', 'wrong')
    }
  },
  'that is blocked': async (database) => {
    await addMary(database)
    await database.updateTable('user').set({ state: 'blocked' }).execute()
  },
  'that is deactivated': async (database) => {
    await addMary(database)
    await database.updateTable('user').set({ state: 'deactivated' }).execute()
  },
  'without a password': (database) => addMary(database, undefined),
}

function addMary(database: Database, password: string | undefined = PASSWORD) {
  return createUser(database, { username: 'mary', name: 'Mary', email: 'mary@example.com', password })
}

/** Every route on which a password is shown ends in one of these. */
const ROUTES: Record<string, (authenticator: Authenticator) => Promise<unknown>> = {
  'a sign-in form': (authenticator) => authenticator.identifyByPassword('mary', 'wrong'),
  'a sign-in form, with the address': (authenticator) =>
    authenticator.identifyByPassword('mary@example.com', 'wrong'),
  git: (authenticator) =>
    authenticateGit(authenticator, `Basic ${Buffer.from('mary:wrong').toString('base64')}`).catch(
      (error: unknown) => error,
    ),
}

/** Takes the place of `scrypt`, of which only the calls matter here: a real one takes 60 ms. */
function fastDigest(
  password: string,
  salt: Buffer,
  _bytes: number,
  _options: ScryptOptions,
  done: (error: Error | null, key: Buffer) => void,
): void {
  done(null, createHash('sha256').update(password).update(salt).digest())
}

beforeEach(() => {
  vi.mocked(scrypt)
    .mockReset()
    .mockImplementation(fastDigest as typeof scrypt)
})

describe.each(Object.entries(ROUTES))('%s', (_route, show) => {
  test.each(Object.entries(ACCOUNTS))(
    'a wrong password costs one hash for an account %s',
    async (_account, prepare) => {
      const { database } = await openSqlite()
      const authenticator = new Authenticator(database)
      await prepare(database, authenticator)
      vi.mocked(scrypt).mockClear()
      await show(authenticator)
      expect(vi.mocked(scrypt)).toHaveBeenCalledTimes(1)
    },
  )
})

test('the right password of a locked account costs one hash, and is refused', async () => {
  const { database } = await openSqlite()
  await addMary(database)
  const passwords = new Passwords(database, () => 1_000_000)
  for (let time = 0; time < PASSWORDS_FROM_ADDRESS; time++) await passwords.userOf('mary', 'wrong')
  vi.mocked(scrypt).mockClear()
  expect(await passwords.userOf('mary', PASSWORD)).toBeUndefined()
  expect(vi.mocked(scrypt)).toHaveBeenCalledTimes(1)
})
