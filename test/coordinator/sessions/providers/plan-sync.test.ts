import { describe, expect, test } from 'vitest'

import type { LinkedAccount } from '../../../../src/coordinator/accounts/users/state/directory-blocks.js'
import { planSync } from '../../../../src/coordinator/sessions/providers/plan-sync.js'
import type { DirectoryUser } from '../../../../src/coordinator/sessions/providers/provider.js'

const there = (closed?: DirectoryUser['closed']): DirectoryUser => ({
  closed,
  groups: () => Promise.resolve([]),
})

const account = (number: number, more: Partial<LinkedAccount> = {}): LinkedAccount => ({
  identityId: number,
  userId: number,
  username: `user${number}`,
  isAdmin: false,
  state: 'active',
  subject: `id${number}`,
  isGone: false,
  ...more,
})

/** The plan for this number of accounts, of which the first `missing` have no entry. */
function plan(all: number, missing: number, percent = 20) {
  const accounts = Array.from({ length: all }, (_, index) => account(index))
  const found = new Map(accounts.slice(missing).map(({ subject }) => [subject, there()]))
  const { gone, refusal } = planSync(accounts, found, percent)
  return { blocked: gone.length, isRefused: refusal !== undefined }
}

describe('missing entries', () => {
  test.each([
    ['a single one', 1, 1, 20, 1],
    ['a few of few', 6, 5, 20, 5],
    ['as many as the limit says', 100, 20, 20, 20],
    ['all, if there is no limit', 3, 3, 100, 3],
  ])('block accounts: %s', (_, all, missing, percent, blocked) => {
    expect(plan(all, missing, percent)).toEqual({ blocked, isRefused: false })
  })

  test.each([
    ['all of two', 2, 2, 20],
    ['all of many', 40, 40, 50],
    ['more than the limit says', 100, 21, 20],
    ['one, if none may be blocked', 10, 1, 0],
  ])('block nobody: %s', (_, all, missing, percent) => {
    expect(plan(all, missing, percent)).toEqual({ blocked: 0, isRefused: true })
  })

  test('do not count again once they are known to be gone', () => {
    const gone = Array.from({ length: 50 }, (_, index) =>
      account(index, { isGone: true, state: index === 0 ? 'active' : 'ldap_blocked' }),
    )
    const left = account(100)
    const { gone: blocked, refusal } = planSync([...gone, left], new Map([['id100', there()]]), 20)
    expect(refusal).toBeUndefined()
    expect(blocked.map(({ account: each }) => each.userId)).toEqual([0]) // an administrator has unblocked it
  })
})

test('entries that are disabled or have expired block accounts, however many there are', () => {
  const accounts = [account(1), account(2)]
  const found = new Map([
    ['id1', there('disabled')],
    ['id2', there('expired')],
  ])
  expect(planSync(accounts, found, 0).gone.map(({ reason }) => reason)).toEqual([
    'the account is disabled at the directory',
    'the account is expired at the directory',
  ])
})

test('an account whose user is back is unblocked, and keeps its groups in step', () => {
  const back = account(1, { isGone: true, state: 'ldap_blocked' })
  const result = planSync([back], new Map([['id1', there()]]), 20)
  expect(result.back).toEqual([back])
  expect(result.present).toHaveLength(1)
})
