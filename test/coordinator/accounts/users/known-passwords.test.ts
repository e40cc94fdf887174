import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { setPasswordByLink } from '../../../../src/coordinator/accounts/users/account-links.js'
import { createUser } from '../../../../src/coordinator/accounts/users/account/create-user.js'
import { editUser } from '../../../../src/coordinator/accounts/users/account/edit-user.js'
import { isCommonPassword } from '../../../../src/coordinator/accounts/users/known-passwords/common-passwords.js'
import { openPasswordList } from '../../../../src/coordinator/accounts/users/known-passwords/password-list.js'
import { usePasswordList } from '../../../../src/coordinator/accounts/users/known-passwords/refuse-known.js'
import { createAccountLink } from '../../../../src/coordinator/accounts/users/links/store.js'
import { signUp } from '../../../../src/coordinator/accounts/users/sign-up.js'
import type { Database } from '../../../../src/coordinator/database/connect.js'
import { inTransaction } from '../../../../src/coordinator/database/transaction.js'
import { changeOwnPassword } from '../../../../src/coordinator/sessions/change-own-password.js'
import { openSqlite } from '../../../support/databases.js'
import { openForFile } from '../../../support/lifetime.js'
import { tempDir } from '../../../support/temp-dir.js'
import { addPerson } from '../../support/test-app.js'

const OWN = 'Correct Horse Battery'
const MINUTE = 60_000

function digestOf(password: string): string {
  return createHash('sha1').update(password).digest('hex').toUpperCase()
}

async function fileOf(text: string): Promise<string> {
  const path = join(await tempDir(), 'passwords.txt')
  await writeFile(path, text)
  return path
}

const opened = openForFile(async () => {
  const { database } = await openSqlite()
  usePasswordList(database, openPasswordList(await fileOf(`${OWN}\n`)))
  return { database, mary: await addPerson(database, 'mary') }
})

const MARY = { username: 'eve', name: 'Eve', email: 'eve@example.com' }
const RULES = {
  needsApproval: false,
  confirmsAddress: false,
  leavesUnconfirmed: false,
  terms: undefined,
  textAfter: '',
}
const SESSION = { id: 1, personalTokenId: null, confirmedAt: null }

/** Each way in which somebody sets a password. */
const WAYS: Record<string, (database: Database, password: string) => Promise<unknown>> = {
  'signs up': (database, password) => signUp(database, RULES, { ...MARY, password }),
  'is created by an administrator': (database, password) => createUser(database, { ...MARY, password }),
  'gets another one by an administrator': (database, password) =>
    editUser(database, { id: opened().mary.id, password }),
  'changes it': (database, password) =>
    changeOwnPassword(database, opened().mary, { password, session: SESSION }),
  'resets it': async (database, password) => {
    const { id: userId, email } = opened().mary
    const link = { userId, email, kind: 'password' as const, life: MINUTE }
    const token = await inTransaction(database, (tx) => createAccountLink(tx, link))
    const request = { token, password, address: '127.0.0.1' }
    return setPasswordByLink(database, request, () => Promise.resolve())
  },
}

test.each(Object.entries(WAYS))(
  'a user who %s may choose neither a common password nor one of the list',
  async (_way, set) => {
    for (const password of ['Password1', OWN]) {
      await expect(set(opened().database, password)).rejects.toMatchObject({
        status: 400,
        body: { message: { password: ['is common or has been leaked: choose another one'] } },
      })
    }
  },
)

test.each(['password', 'PASSW0RD', '12345678', 'qwertyuiop', 'trustno1'])('%s is common', (password) => {
  expect(isCommonPassword(password)).toBe(true)
})

test.each(['correct horse battery', 'vzqk-7731-lmoh', ''])('%j is not common', (password) => {
  expect(isCommonPassword(password)).toBe(false)
})

describe('a list of digests', () => {
  test.each([
    [
      'as Have I Been Pwned offers it',
      (digest: string, at: number) => `${digest}:${at * 10 ** (at % 7)}\r\n`,
    ],
    ['in lower case, without counts', (digest: string) => `${digest.toLowerCase()}\n`],
  ])('%s has every password of it, and no other', async (_name, lineOf) => {
    const passwords = Array.from({ length: 80 }, (_, at) => `password number ${at}`)
    const digests = passwords.map(digestOf).toSorted()
    const list = openPasswordList(await fileOf(digests.map(lineOf).join('')))
    const found = await Promise.all(passwords.map((password) => list.has(password)))
    expect(found).toEqual(passwords.map(() => true))
    const others = Array.from({ length: 80 }, (_, at) => `another ${at}`)
    expect(await Promise.all(others.map((password) => list.has(password)))).toEqual(others.map(() => false))
  })

  test('may have one line without an end', async () => {
    const list = openPasswordList(await fileOf(digestOf('alone')))
    expect([await list.has('alone'), await list.has('other')]).toEqual([true, false])
  })
})

test('a plain list is compared exactly, and may have at most 16 MiB', async () => {
  const list = openPasswordList(await fileOf('one\r\nTwo\n\n'))
  const found = await Promise.all(['one', 'Two', 'two', ''].map((password) => list.has(password)))
  expect(found).toEqual([true, true, false, false])
  const long = await fileOf(`plain\n${' '.repeat(16 * 1024 * 1024)}`)
  expect(() => openPasswordList(long)).toThrow('has more than 16 MiB; give a file of SHA-1 digests')
})
