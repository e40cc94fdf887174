import { expect, test } from 'vitest'

import { closedAccount } from '../../../../../src/coordinator/sessions/providers/ldap/closed-account.js'
import { DirectoryEntry, idValue } from '../../../../../src/coordinator/sessions/providers/ldap/entry.js'

const BYTES = Buffer.from('33221100554477668899aabbccddeeff', 'hex')
const GUID = '00112233-4455-6677-8899-aabbccddeeff'

const entry = (attributes: Record<string, string | string[] | Buffer> = {}) =>
  new DirectoryEntry({ dn: 'cn=mary', ...attributes })

test('the ID of Active Directory is written as Windows does, and read back', () => {
  expect(entry({ objectGUID: BYTES }).id('objectguid')).toBe(GUID)
  expect(idValue('objectGUID', GUID.toUpperCase())).toEqual(BYTES)
})

test.each([
  ['objectGUID', 'cn=mary,dc=example'],
  ['entryUUID', 'cn=mary,dc=example'],
])('%s is never a DN', (attribute, text) => {
  expect(idValue(attribute, text)).toBeUndefined()
})

test('a permanent ID is one value', () => {
  expect(entry({ employeeNumber: '7' }).id('employeeNumber')).toBe('7')
  expect(entry({ employeeNumber: ['7', '8'] }).id('employeeNumber')).toBeUndefined()
  expect(entry({ employeeNumber: [] }).id('employeeNumber')).toBeUndefined()
  expect(entry({ objectGUID: BYTES.subarray(1) }).id('objectGUID')).toBeUndefined()
})

const NOW = Date.UTC(2026, 0, 1)
/** Of Active Directory: intervals of 100 ns since 1601. */
const fileTime = (time: number) => String((BigInt(time) + 11_644_473_600_000n) * 10_000n)

test.each([
  ['is not closed', undefined, {}],
  ['is not closed', undefined, { userAccountControl: '512', accountExpires: '0' }],
  ['that never expires', undefined, { accountExpires: '9223372036854775807' }],
  ['that expires later', undefined, { accountExpires: fileTime(NOW + 1000) }],
  ['that has expired', 'expired', { accountExpires: fileTime(NOW - 1000) }],
  ['that is disabled', 'disabled', { userAccountControl: '514' }],
  ['that is locked', 'locked', { 'msDS-User-Account-Control-Computed': '16' }],
  ['that an administrator of OpenLDAP has locked', 'disabled', { pwdAccountLockedTime: '000001010000Z' }],
  ['that was locked for a while', undefined, { pwdAccountLockedTime: '20200101000000Z' }],
  ['that is disabled in 389 Directory Server', 'disabled', { nsAccountLock: 'true' }],
])('an account %s (%s)', (_, closed, attributes) => {
  expect(closedAccount(entry({ ...attributes }), NOW)).toBe(closed)
})
