import { describe, expect, test } from 'vitest'

import type { User } from '../../../src/coordinator/access/caller.js'
import { createUser } from '../../../src/coordinator/accounts/users/account/create-user.js'
import { editUser } from '../../../src/coordinator/accounts/users/account/edit-user.js'
import type { Database } from '../../../src/coordinator/database/connect.js'
import { HOOK_TRIGGERS, type HookTrigger } from '../../../src/coordinator/database/tables/webhooks.js'
import { Authenticator } from '../../../src/coordinator/http/authentication/authenticator.js'
import { authenticateGit, mayPush } from '../../../src/coordinator/http/authentication/git-credentials.js'
import { Passwords } from '../../../src/coordinator/http/authentication/passwords.js'
import { SignIns } from '../../../src/coordinator/http/authentication/sign-ins.js'
import { TokenUses } from '../../../src/coordinator/http/authentication/token-uses.js'
import { emitFailedLogin } from '../../../src/coordinator/integrations/webhooks/outbox/emit-system-events.js'
import { createLogger } from '../../../src/lib/logger.js'
import { hashPassword, isPassword } from '../../../src/lib/password-hash.js'
import { describeOnDatabase, openSqlite } from '../../support/databases.js'
import { openForFile } from '../../support/lifetime.js'
import { makeChecksCheap } from '../support/cheap-passwords.js'
import { addPerson } from '../support/test-app.js'

const PASSWORD = 'correct horse battery'
const MARY = { username: 'mary', name: 'Mary', email: 'mary@example.com', password: PASSWORD }

async function addMary(database: Database): Promise<User> {
  const mary = await createUser(database, MARY)
  await makeChecksCheap(database, PASSWORD)
  return mary
}

function basic(name: string, password: string): string {
  return `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
}

test('a password is kept as a salted hash, and is the same however its accents were typed', async () => {
  const hash = await hashPassword('caf\u00e9 au lait')
  expect(hash).toMatch(/^scrypt\$32768\$8\$1\$/)
  expect(await hashPassword('caf\u00e9 au lait')).not.toBe(hash)
  expect(await isPassword('cafe\u0301 au lait', hash)).toBe(true)
  expect(await isPassword('cafe au lait', hash)).toBe(false)
  await expect(isPassword('x', 'x')).rejects.toThrow(TypeError)
})

describeOnDatabase('the password of an account', (open) => {
  test('is good for git, with the name or the address, in either case', async () => {
    const { database } = await open()
    const mary = await addMary(database)
    const authenticator = new Authenticator(database)
    for (const name of ['mary', 'MARY', 'mary@example.com']) {
      const caller = await authenticateGit(authenticator, basic(name, PASSWORD))
      expect(caller).toMatchObject({ kind: 'user', user: { id: mary.id } })
      expect(caller).not.toHaveProperty('user.hash')
      expect(mayPush(caller)).toBe(true)
    }
    for (const [name, password] of [
      ['mary', 'wrong'],
      ['paul', PASSWORD],
      ['', PASSWORD],
      ['oauth2', PASSWORD],
    ] as const) {
      const work = authenticateGit(authenticator, basic(name, password))
      await expect(work).rejects.toMatchObject({ status: 401 })
    }
  })

  test('is a sign-in, counted once for all that git asks from one address in ten minutes', async () => {
    const { database } = await open()
    const { id } = await addMary(database)
    const authenticator = new Authenticator(database)
    const minute = 60_000
    let now = 60 * minute
    const processes = [1, 2].map(
      () => new SignIns(database, createLogger('test', 'silent'), { now: () => now }),
    )
    const comeFrom = async (address: string, password = PASSWORD) => {
      for (const signIns of processes) {
        const guard = {
          check: () => undefined,
          failed: async () => undefined,
          refused: async () => undefined,
          accepted: (user: { id: number }) => signIns.record(user.id, address),
        }
        await authenticateGit(authenticator, basic('mary', password), undefined, guard).catch(() => undefined)
        await signIns.write()
      }
    }
    const profile = () =>
      database
        .selectFrom('user_profile')
        .select(['sign_in_count', 'current_sign_in_at', 'current_sign_in_ip'])
        .select(['last_sign_in_at', 'last_sign_in_ip', 'last_activity_at'])
        .where('user_id', '=', id)
        .executeTakeFirstOrThrow()
    await comeFrom('10.0.0.9', 'wrong')
    expect(await profile()).toMatchObject({
      sign_in_count: 0,
      current_sign_in_at: null,
      last_activity_at: null,
    })
    await comeFrom('10.0.0.1')
    now += 9 * minute
    await comeFrom('10.0.0.1')
    expect(await profile()).toEqual({
      sign_in_count: 1,
      current_sign_in_at: 60 * minute,
      current_sign_in_ip: '10.0.0.1',
      last_sign_in_at: null,
      last_sign_in_ip: null,
      last_activity_at: 60 * minute,
    })
    await comeFrom('10.0.0.2')
    now += 10 * minute
    await comeFrom('10.0.0.2')
    expect(await profile()).toEqual({
      sign_in_count: 3,
      current_sign_in_at: 79 * minute,
      current_sign_in_ip: '10.0.0.2',
      last_sign_in_at: 69 * minute,
      last_sign_in_ip: '10.0.0.2',
      last_activity_at: 79 * minute,
    })
  })

  test('is replaced by another one, and of no use to a blocked user', async () => {
    const { database } = await open()
    const { id } = await addMary(database)
    const authenticator = new Authenticator(database)
    await editUser(database, { id, password: 'another password' })
    const old = authenticateGit(authenticator, basic('mary', PASSWORD))
    await expect(old).rejects.toMatchObject({ status: 401 })
    await database.updateTable('user').set({ state: 'blocked' }).where('id', '=', id).execute()
    const blocked = authenticateGit(authenticator, basic('mary', 'another password'))
    await expect(blocked).rejects.toMatchObject({ status: 403 })
  })

  test('the use of a blocked account is reported to system hooks', async () => {
    const { database } = await open()
    const mary = await addMary(database)
    await database.updateTable('user').set({ state: 'blocked' }).where('id', '=', mary.id).execute()
    await addSystemHook(database)
    const authenticator = new Authenticator(database, undefined, (user) => emitFailedLogin(database, user))
    for (const password of ['wrong', PASSWORD]) {
      await expect(authenticateGit(authenticator, basic('mary', password))).rejects.toThrow()
    }
    const events = await database.selectFrom('hook_event').select('facts').execute()
    expect(events.map(({ facts }) => facts)).toMatchObject([
      { event_name: 'user_failed_login', user_id: mary.id, username: 'mary', state: 'blocked' },
    ])
  })
})

async function addSystemHook(database: Database): Promise<void> {
  const flags = Object.fromEntries(HOOK_TRIGGERS.map((flag) => [flag, false])) as Record<HookTrigger, boolean>
  await database
    .insertInto('web_hook')
    .values({
      ...flags,
      project_id: null,
      url_encrypted: 'https://example.com/',
      enable_ssl_verification: true,
      branch_filter_strategy: 'wildcard',
      created_at: 0,
      updated_at: 0,
    })
    .execute()
}

/** Wrong passwords of an account, by how many come from which address, and which address the right one comes from then. */
const LOCKOUTS: [
  name: string,
  wrong: [times: number, address: string][],
  from: string,
  isAccepted: boolean,
][] = [
  ['nine from one address leave it open', [[9, '192.0.2.1']], '192.0.2.1', true],
  ['ten from one address close it to this address', [[10, '192.0.2.1']], '192.0.2.1', false],
  ['ten from one address close it to no other one', [[10, '192.0.2.1']], '192.0.2.2', true],
  ['an IPv6 network counts as one address', [[10, '2001:db8::1']], '2001:db8::2', false],
  ['a network beside it does not', [[10, '2001:db8::1']], '2001:db8:0:1::1', true],
  ['IPv4 within IPv6 is the same address', [[10, '::ffff:192.0.2.1']], '192.0.2.1', false],
  ['an address has only its ten, however often it asks', [[12, '192.0.2.1']], '192.0.2.2', true],
  ['99 from many addresses close it to none', many(99), '203.0.113.9', true],
  ['100 from many addresses close it to new addresses', many(100), '203.0.113.9', false],
  ['100 from many addresses leave it open to where its user last signed in', many(100), '198.51.100.1', true],
  ['and to where its user signed in before that', many(100), '198.51.100.2', true],
  ['but not if ten were from there', [...many(100), [10, '198.51.100.1']], '198.51.100.1', false],
]

function many(times: number): [number, string][] {
  return Array.from({ length: times }, (_, at) => [1, `10.0.${at}.1`])
}

describe('wrong passwords of an account:', () => {
  const opened = openForFile(async () => {
    const { database } = await openSqlite()
    const { id } = await addMary(database)
    const known = { current_sign_in_ip: '198.51.100.1', last_sign_in_ip: '198.51.100.2' }
    await database.updateTable('user_profile').set(known).where('user_id', '=', id).execute()
    return database
  })

  test.each(LOCKOUTS)('%s', async (_name, wrong, from, isAccepted) => {
    const passwords = new Passwords(opened(), () => 0)
    for (const [times, address] of wrong) {
      for (let time = 0; time < times; time++) await passwords.userOf('mary', `wrong ${time}`, { address })
    }
    const user = await passwords.userOf('mary', PASSWORD, { address: from })
    expect(user !== undefined).toBe(isAccepted)
  })
})

test('an account is locked for a time after ten wrong passwords, including concurrent attempts', async () => {
  const { database } = await openSqlite()
  await addMary(database)
  let now = 0
  const passwords = new Passwords(database, () => now)
  const tries = Array.from({ length: 12 }, (_, number) => passwords.userOf('mary', `wrong ${number}`))
  await Promise.all(tries)
  expect(await passwords.userOf('mary', PASSWORD)).toBeUndefined()
  now += 10 * 60_000
  expect(await passwords.userOf('mary', PASSWORD)).toMatchObject({ username: 'mary' })
})

test('the use of a token is written once in ten minutes, and never by the request itself', async () => {
  const { database } = await openSqlite()
  const mary = await addPerson(database, 'mary')
  let now = 1000
  const uses = new TokenUses(database, createLogger('test', 'silent'), () => now)
  const authenticator = new Authenticator(database, uses)
  const usedAt = async () => {
    const row = await database
      .selectFrom('personal_access_token')
      .innerJoin('user_profile', 'user_profile.user_id', 'personal_access_token.user_id')
      .select(['last_used_at', 'last_activity_at'])
      .executeTakeFirstOrThrow()
    return [row.last_used_at, row.last_activity_at]
  }
  const use = () => authenticator.identify({ kind: 'personal', token: mary.token })
  await use()
  expect(await usedAt()).toEqual([null, null])
  await uses.write()
  expect(await usedAt()).toEqual([1000, 1000])
  now += 9 * 60_000
  await use()
  await uses.write()
  expect(await usedAt()).toEqual([1000, 1000])
  now += 60_000
  await use()
  await uses.write()
  expect(await usedAt()).toEqual([now, now])
})
