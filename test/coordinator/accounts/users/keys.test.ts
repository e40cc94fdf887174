import { expect, test } from 'vitest'

import { gpgFingerprint } from '../../../../src/coordinator/accounts/users/keys/read-gpg-key.js'
import { readSshKey } from '../../../../src/coordinator/accounts/users/keys/read-ssh-key.js'
import { openForFile } from '../../../support/lifetime.js'
import { testAtNight } from '../../../support/nightly.js'
import { openPeopleApi as buildPeopleApi, peopleApiForFile } from '../../support/people-api.js'
import { addPerson } from '../../support/test-app.js'
import { ECDSA_KEY, ED25519_KEY, GPG_KEY, RSA_KEY } from './example-keys.js'

const openPeopleApi = peopleApiForFile()

const { line, comment } = ED25519_KEY

test('the fingerprints of an SSH key match ssh-keygen', () => {
  expect(readSshKey(` ${line} ${comment}\n`)).toEqual({
    key: line,
    fingerprint: ED25519_KEY.md5,
    fingerprintSha256: ED25519_KEY.sha256,
  })
  for (const key of [RSA_KEY, ECDSA_KEY]) expect(readSshKey(key)?.key).toBe(key)
})

test.each([
  ['nothing', ''],
  ['a word', 'ssh-ed25519'],
  ['a key that is cut off', line.slice(0, -8)],
  ['a key of another type than it says', line.replace('ssh-ed25519', 'ssh-rsa')],
  ['two keys', `${line}\n${RSA_KEY}`],
  [
    'a private key',
    '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEA\n-----END OPENSSH PRIVATE KEY-----',
  ],
  ['options before the key', `command="ls" ${line}`],
])('%s is no SSH key', (_what, text) => {
  expect(readSshKey(text)).toBeUndefined()
})

test('the fingerprint of a GPG key matches gpg', () => {
  expect(gpgFingerprint(GPG_KEY.armored)).toBe(GPG_KEY.fingerprint)
  expect(gpgFingerprint(GPG_KEY.armored.replaceAll('\n', '\r\n'))).toBe(GPG_KEY.fingerprint)
})

test.each([
  ['nothing', ''],
  ['a word', 'key'],
  ['a key without its end', GPG_KEY.armored.slice(0, -30)],
  ['a private key', GPG_KEY.armored.replaceAll('PUBLIC', 'PRIVATE')],
  ['a signature', '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\niHUEAB\n-----END PGP PUBLIC KEY BLOCK-----'],
])('%s is no GPG key', (_what, text) => {
  expect(gpgFingerprint(text)).toBeUndefined()
})

testAtNight('people add, see and remove SSH keys; others see them without comments', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const paul = await addPerson(api.database, 'paul')
  const key = { title: 'Laptop', key: `${line} ${comment}` }
  const made = await api.call(mary, 'POST /user/keys', { ...key, user_id: paul.id, usage_type: 'auth' })
  expect(made.statusCode).toBe(201)
  const { id } = made.json<{ id: number }>()
  expect(made.json()).toMatchObject({ ...key, usage_type: 'auth', expires_at: null })
  expect((await api.call(mary, 'GET /user/keys')).json()).toMatchObject([key])
  expect((await api.call(mary, `GET /user/keys/${id}`)).json()).toMatchObject(key)
  for (const who of ['mary', mary.id]) {
    const seen = await api.call(undefined, `GET /users/${who}/keys`)
    expect(seen.json()).toMatchObject([{ title: 'Laptop', key: line }])
  }
  for (const route of [`GET /user/keys/${id}`, `DELETE /user/keys/${id}`]) {
    expect((await api.call(paul, route)).json()).toEqual({ message: '404 Key Not Found' })
  }
  expect((await api.call(paul, `DELETE /users/${mary.id}/keys/${id}`)).statusCode).toBe(403)
  expect((await api.call(mary, `DELETE /user/keys/${id}`)).statusCode).toBe(204)
  expect((await api.call(mary, `DELETE /user/keys/${id}`)).statusCode).toBe(404)
})

test('a key belongs to one person, and is found by its fingerprint', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const made = await api.call(api.root, `POST /users/${mary.id}/keys`, { title: 'x', key: line })
  expect(made.statusCode).toBe(201)
  const again = await api.call(api.root, 'POST /user/keys', { title: 'y', key: `${line} other` })
  expect([again.statusCode, again.json()]).toEqual([
    400,
    { message: { fingerprint_sha256: ['has already been taken'] } },
  ])
  for (const fingerprint of [`SHA256:${ED25519_KEY.sha256}`, ED25519_KEY.md5]) {
    const found = await api.call(api.root, `GET /keys?fingerprint=${encodeURIComponent(fingerprint)}`)
    expect(found.json()).toMatchObject({ title: 'x', user: { username: 'mary' } })
  }
  const { id } = made.json<{ id: number }>()
  expect((await api.call(api.root, `GET /keys/${id}`)).json()).toMatchObject({ user: { id: mary.id } })
  expect((await api.call(mary, `GET /keys/${id}`)).statusCode).toBe(403)
  expect((await api.call(api.root, 'GET /keys?fingerprint=x')).statusCode).toBe(400)
})

const withoutKeys = openForFile(() => buildPeopleApi())

test.each([
  [{ title: 'x', key: 'x' }, { message: { key: ['is invalid'] } }],
  [{ title: '', key: line }, { error: 'title is empty' }],
  [{ title: 'x' }, { error: 'key is missing' }],
  [{ title: 'x', key: line, expires_at: '2000-01-01' }, { message: { expires_at: ['has expired'] } }],
  [{ title: 'x', key: line, usage_type: 'x' }, { error: 'usage_type does not have a valid value' }],
])('the SSH key %j is refused', async (params, body) => {
  const api = withoutKeys()
  const response = await api.call(api.root, 'POST /user/keys', params)
  expect([response.statusCode, response.json()]).toEqual([400, body])
})

test('users add, list and revoke GPG keys', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const key = GPG_KEY.armored
  const made = await api.call(mary, 'POST /user/gpg_keys', { key })
  expect([made.statusCode, made.json()]).toEqual([201, expect.objectContaining({ key: key.trim() })])
  const { id } = made.json<{ id: number }>()
  expect((await api.call(mary, 'GET /user/gpg_keys')).json()).toMatchObject([{ id }])
  expect((await api.call(undefined, `GET /users/${mary.id}/gpg_keys/${id}`)).json()).toMatchObject({ id })
  expect((await api.call(api.root, 'POST /user/gpg_keys', { key })).json()).toEqual({
    message: { fingerprint: ['has already been taken'] },
  })
  expect((await api.call(mary, 'POST /user/gpg_keys', { key: 'x' })).json()).toEqual({
    message: { key: ['is invalid'] },
  })
  expect((await api.call(api.root, `DELETE /user/gpg_keys/${id}`)).statusCode).toBe(404)
  expect((await api.call(mary, `POST /user/gpg_keys/${id}/revoke`)).statusCode).toBe(202)
  expect((await api.call(mary, `GET /user/gpg_keys/${id}`)).json()).toEqual({
    message: '404 GPG Key Not Found',
  })
})

test('addresses beside the primary one belong to one person, and may be shown', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const paul = await addPerson(api.database, 'paul')
  const made = await api.call(api.root, `POST /users/${mary.id}/emails`, {
    email: 'mary@work.example',
    skip_confirmation: true,
  })
  const { id } = made.json<{ id: number }>()
  expect([made.statusCode, made.json()]).toEqual([
    201,
    { id, email: 'mary@work.example', confirmed_at: expect.any(String) as string },
  ])
  const edited = await api.call(api.root, `PUT /users/${mary.id}`, { public_email: 'mary@work.example' })
  expect(edited.json()).toMatchObject({ public_email: 'mary@work.example' })
  for (const email of ['MARY@work.example', 'paul@example.com']) {
    const taken = await api.call(api.root, `POST /users/${api.root.id}/emails`, { email })
    expect([taken.statusCode, taken.json()]).toEqual([
      400,
      { message: { email: ['has already been taken'] } },
    ])
  }
  expect((await api.call(mary, 'POST /user/emails', { email: 'x' })).json()).toEqual({
    message: { email: ['is invalid'] },
  })
  const account = { username: 'x', name: 'x', email: 'mary@work.example', force_random_password: true }
  expect((await api.call(api.root, 'POST /users', account)).statusCode).toBe(409)
  expect((await api.call(paul, `GET /user/emails/${id}`)).json()).toEqual({ message: '404 Email Not Found' })
  expect((await api.call(paul, `GET /users/${mary.id}/emails`)).statusCode).toBe(403)
  expect((await api.call(api.root, `GET /users/${mary.id}/emails`)).json()).toMatchObject([{ id }])
  expect((await api.call(mary, `DELETE /user/emails/${id}`)).statusCode).toBe(204)
  expect((await api.call(mary, 'GET /user')).json()).toMatchObject({ public_email: null })
})
