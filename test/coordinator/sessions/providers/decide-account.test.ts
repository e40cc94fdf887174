import { describe, expect, test } from 'vitest'

import type { User } from '../../../../src/coordinator/access/caller.js'
import {
  type AccountFacts,
  decideAccount,
} from '../../../../src/coordinator/sessions/providers/decide-account.js'
import { grantsOf, planMemberships } from '../../../../src/coordinator/sessions/providers/map-groups.js'
import { usernameFrom } from '../../../../src/coordinator/sessions/providers/new-account.js'
import type { ProviderRules } from '../../../../src/coordinator/sessions/providers/provider-settings.js'
import { identityOf } from '../../../../src/coordinator/sessions/providers/read-claims.js'
import { STRICT } from './settings.js'

const NAMES = { username: 'preferred_username', name: 'name', email: 'email', groups: 'groups' }

const identity = (token: Record<string, unknown> = {}, info: Record<string, unknown> = {}, names = NAMES) =>
  identityOf({ token: { sub: 'one', ...token }, info }, names)

const VERIFIED = { email: 'mary@corp.example', email_verified: true }
const NOBODY: AccountFacts = { linked: undefined, owner: undefined, hasOwnerConfirmed: false }
const user = (state: User['state'] = 'active', kind: User['kind'] = 'human') =>
  ({ id: 1, username: 'mary', state, kind }) as User

/** `sign-in`, `link`, `create`, or the code of the refusal. */
function decided(rules: Partial<ProviderRules>, claims: object, facts: Partial<AccountFacts> = {}): string {
  const decision = decideAccount({ ...STRICT, ...rules }, identity({ ...claims }), { ...NOBODY, ...facts })
  return decision.kind === 'refuse' ? decision.reason.code : decision.kind
}

test('the ID of a user may be another claim than sub, of the ID token alone', () => {
  const read = (token: object, info: object) =>
    identityOf({ token: { sub: 'pairwise', ...token }, info: { ...info } }, NAMES, 'oid')
  expect(read({ oid: 'one' }, { oid: 'two' })).toMatchObject({ subject: 'one', logoutSubject: 'pairwise' })
  expect(() => read({}, { oid: 'two' })).toThrow('The subject is not valid')
})

describe('the account of an identity', () => {
  const owner = { owner: user(), hasOwnerConfirmed: true }
  const link = { linkByVerifiedEmail: true }

  test.each<[string, string, Partial<ProviderRules>, object, Partial<AccountFacts>]>([
    ['is the linked one', 'sign-in', {}, {}, { linked: user() }],
    ['is not a blocked one', 'blocked', {}, {}, { linked: user('blocked') }],
    ['is not a deactivated one', 'blocked', {}, {}, { linked: user('deactivated') }],
    ['is not one that waits for approval', 'pending', {}, {}, { linked: user('blocked_pending_approval') }],
    ['is not that of a bot', 'no-person', {}, {}, { linked: user('active', 'bot') }],
    ['is not one with the same address', 'email-taken', { newAccounts: true }, VERIFIED, owner],
    ['is one with the same address if that is set', 'link', link, VERIFIED, owner],
    ['is not one whose user has not confirmed it', 'email-taken', link, VERIFIED, { owner: user() }],
    ['needs a verified address for that', 'email-taken', link, { email: VERIFIED.email }, owner],
    [
      'is not a blocked one, also by its address',
      'blocked',
      link,
      VERIFIED,
      { ...owner, owner: user('banned') },
    ],
    ['is none if there are no new accounts', 'no-account', {}, VERIFIED, {}],
    ['is a new one', 'create', { newAccounts: true }, { email: 'mary@corp.example' }, {}],
    ['is no new one without an address', 'no-email', { newAccounts: true }, {}, {}],
  ])('%s', (_, expected, rules, claims, facts) => {
    expect(decided(rules, claims, facts)).toBe(expected)
  })

  test('needs each required claim with one of its values', () => {
    const rules = {
      requiredClaims: new Map([
        ['acr', ['2', 'gold']],
        ['amr', ['mfa']],
      ]),
    }
    const linked = { linked: user() }
    expect(decided(rules, { acr: 2, amr: ['pwd', 'mfa'] }, linked)).toBe('sign-in')
    for (const claims of [{}, { acr: '2' }, { acr: '2,gold', amr: 'mfa' }, { acr: 'gold', amr: ['pwd'] }]) {
      expect(decided(rules, claims, linked)).toBe('claim')
    }
  })

  test('needs these claims in the signed token', () => {
    const rules = { ...STRICT, requiredClaims: new Map([['acr', ['2']]]) }
    const decision = decideAccount(rules, identity({}, { acr: '2' }), { ...NOBODY, linked: user() })
    expect(decision).toMatchObject({ kind: 'refuse', reason: { code: 'claim', claim: 'acr' } })
  })

  test('needs a verified address of an allowed domain', () => {
    const rules = { allowedDomains: ['corp.example'] }
    const linked = { linked: user() }
    expect(decided(rules, { ...VERIFIED, email: 'mary@CORP.example' }, linked)).toBe('sign-in')
    for (const claims of [
      { email_verified: false },
      { email_verified: 'true' },
      { email: undefined },
      { email: 'mary@corp.example.attacker.example' },
      { email: 'corp.example@attacker.example' },
      { email: 'mary@sub.corp.example' },
    ]) {
      expect(decided(rules, { ...VERIFIED, ...claims }, linked)).toBe('domain')
    }
  })
})

describe('an address', () => {
  test('is verified only by the source that has given it', () => {
    expect(identity({ email: 'a@b.example' }, { email: 'c@d.example', email_verified: true })).toMatchObject({
      email: 'a@b.example',
      isEmailVerified: false,
    })
    expect(identity({ email_verified: true }, { email: 'c@d.example' }).isEmailVerified).toBe(false)
    expect(identity({}, VERIFIED)).toMatchObject({ email: VERIFIED.email, isEmailVerified: true })
  })

  test('of another claim is never verified', () => {
    const names = { ...NAMES, email: 'upn' }
    expect(identity({ upn: 'a@b.example', email_verified: true }, {}, names)).toMatchObject({
      email: 'a@b.example',
      isEmailVerified: false,
    })
  })
})

test.each([
  [{ preferred_username: 'mary' }, 'mary'],
  [{ preferred_username: 'Zoë.Müller@corp.example' }, 'zoe.muller'],
  [{ preferred_username: '../..', email: 'joe@corp.example' }, 'joe'],
  [{ preferred_username: '李', email: '-@corp.example', name: '!' }, 'user'],
  [{ preferred_username: 'mary.git' }, 'mary'],
  [{ name: 'Mary Major' }, 'mary-major'],
  [{ preferred_username: 42 }, 'user'],
])('%j has the username %s', (claims, username) => {
  expect(usernameFrom(identity(claims))).toBe(username)
})

describe('memberships', () => {
  const MAPPING = new Map([
    ['devs', [{ path: 'app', accessLevel: 30 }]],
    [
      'leads',
      [
        { path: 'app', accessLevel: 40 },
        { path: 'tools', accessLevel: 20 },
      ],
    ],
  ])

  test('have the highest level of the values', () => {
    expect([...grantsOf(MAPPING, ['devs', 'leads', 'others'])]).toEqual([
      ['app', 40],
      ['tools', 20],
    ])
    expect([...grantsOf(MAPPING, ['leads', 'devs'])]).toEqual([
      ['app', 40],
      ['tools', 20],
    ])
    expect([...grantsOf(MAPPING, ['others', 'app'])]).toEqual([])
  })

  test('are added, changed and taken away, but only those that the provider has given', () => {
    const held = [
      { groupId: 1, accessLevel: 30, isMapped: true },
      { groupId: 2, accessLevel: 30, isMapped: true },
      { groupId: 3, accessLevel: 10, isMapped: false },
      { groupId: 4, accessLevel: 50, isMapped: false },
      { groupId: 6, accessLevel: 20, isMapped: true },
    ]
    const wanted = new Map([
      [1, 40],
      [3, 30],
      [5, 20],
      [6, 20],
    ])
    expect(planMemberships(wanted, held)).toEqual({
      add: [{ groupId: 5, accessLevel: 20 }],
      change: [{ groupId: 1, accessLevel: 40 }],
      remove: [2],
    })
  })
})
