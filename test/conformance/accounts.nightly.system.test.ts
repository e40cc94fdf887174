import { AccessLevel } from '@gitbeaker/rest'
import { execa } from 'execa'
import { expect, test } from 'vitest'

import { ED25519_KEY, GPG_KEY } from '../coordinator/accounts/users/example-keys.js'
import { openForFile } from '../support/lifetime.js'
import { tempDir } from '../support/temp-dir.js'
import { runPython } from './support/python.js'
import { refusalOf, Service } from './support/service.js'

const PASSWORD = 'correct horse battery'

test('python-gitlab makes, finds, changes, blocks and removes users, with keys, addresses and tokens', async () => {
  const service = await Service.start()
  const keys = { ssh_key: `${ED25519_KEY.line} mary@laptop`, gpg_key: GPG_KEY.armored }
  const told = await runPython('accounts.py', { url: service.url, token: service.root.token, ...keys })
  expect(told).toEqual({
    made: { username: 'mary', bio: 'Builds things', limit: 7 },
    changed: { bio: null, location: 'Paris' },
    blocked: [true, 'blocked', true],
    status: 'Back soon',
    bot: { level: 30, name: 'deploy', bot: true },
    lists: {
      users: ['root', 'mary', 'user0', 'user1', 'user2'],
      by_name: ['mary'],
      keys: ['Laptop'],
      emails: ['mary@work.example'],
      gpg_keys: 1,
      impersonation: ['look'],
      tokens: ['ci'],
      attributes: ['team'],
    },
    refusals: {
      taken: { kind: 'GitlabCreateError', status: 409, message: 'Username has already been taken' },
      no_password: {
        kind: 'GitlabCreateError',
        status: 400,
        message: expect.stringContaining('at least one parameter must be provided') as string,
      },
      nobody: { kind: 'GitlabGetError', status: 404, message: '404 User Not Found' },
      bad_key: { kind: 'GitlabCreateError', status: 400, message: { key: ['is invalid'] } },
      not_admin: { kind: 'GitlabCreateError', status: 403, message: '403 Forbidden' },
      follow_self: {
        kind: 'GitlabFollowError',
        status: 400,
        message: '400 Bad request - You cannot follow yourself',
      },
      revoked: { kind: 'GitlabAuthenticationError', status: 401, message: expect.anything() as unknown },
      gone: { kind: 'GitlabDeleteError', status: 404, message: '404 User Not Found' },
    },
    identities: {
      created: [expect.objectContaining({ provider: 'corp', extern_uid: 'uid-1' })],
      found: ['linked'],
      two_factor: false,
      unlinked: [],
    },
  })
})

test('@gitbeaker/rest makes, finds, changes, blocks and removes users', async () => {
  const service = await Service.start()
  const { Users } = service.root.gitbeaker
  const account = { username: 'mary', name: 'Mary', email: 'mary@example.com' }
  const made = await Users.create({ ...account, password: PASSWORD, skipConfirmation: true })
  for (const name of ['paul', 'jane']) await service.addPerson(name)
  const names = (await Users.all({ perPage: 2, orderBy: 'username', sort: 'asc' })).map(
    (user) => user.username,
  )
  expect(names).toEqual(['jane', 'mary', 'paul', 'root'])
  expect(await Users.edit(made.id, { location: 'Paris', bio: 'Builds' })).toMatchObject({
    location: 'Paris',
    bio: 'Builds',
  })
  await Users.block(made.id)
  expect(await Users.show(made.id)).toMatchObject({ state: 'blocked' })
  await Users.unblock(made.id)
  expect(await Users.follow(made.id)).toMatchObject({ username: 'mary' })
  expect(await Users.allFollowers(made.id)).toMatchObject([{ username: 'root' }])
  expect(await Users.showCount()).toMatchObject({ merge_requests: 0 })
  expect(await Users.editStatus({ emoji: 'tea', clearStatusAfter: '3_hours' })).toMatchObject({
    emoji: 'tea',
  })
  expect(await Users.showStatus({ iDOrUsername: 'root' })).toMatchObject({ emoji: 'tea' })
  expect(await refusalOf(Users.create({ ...account, password: PASSWORD }))).toEqual({
    status: 409,
    description: 'Email has already been taken',
  })
  expect(await refusalOf(Users.show(9999))).toEqual({ status: 404, description: '404 User Not Found' })
  const linked = await Users.create({
    username: 'linked',
    name: 'Linked',
    email: 'linked@example.com',
    forceRandomPassword: true,
    provider: 'corp',
    externUid: 'uid-1',
  })
  expect(linked).toMatchObject({
    identities: [{ provider: 'corp', extern_uid: 'uid-1' }],
    two_factor_enabled: false,
  })
  await Users.removeAuthenticationIdentity(linked.id, 'corp')
  expect(await Users.show(linked.id)).toMatchObject({ identities: [] })
  await Users.remove(made.id)
  expect(await refusalOf(Users.remove(made.id))).toMatchObject({ status: 404 })
})

const opened = openForFile(() => Service.start())

test('@gitbeaker/rest keeps keys, addresses and tokens', async () => {
  const service = opened()
  const mary = await service.addPerson('mary')
  const { UserSSHKeys, UserEmails, PersonalAccessTokens, ProjectAccessTokens } = mary.gitbeaker
  const key = await UserSSHKeys.create('Laptop', ED25519_KEY.line)
  expect(await UserSSHKeys.all()).toMatchObject([{ title: 'Laptop' }])
  expect(await refusalOf(UserSSHKeys.create('Again', ED25519_KEY.line))).toMatchObject({ status: 400 })
  await UserSSHKeys.remove(key.id)
  await UserEmails.create('mary@work.example')
  expect(await UserEmails.all()).toMatchObject([{ email: 'mary@work.example' }])
  expect(await PersonalAccessTokens.all()).toMatchObject([{ name: 'test', active: true }])
  const project = await service.addProject({ a: 'a' }, mary)
  const made = await ProjectAccessTokens.create(project.id, 'deploy', ['api'], '2999-01-01', {
    accessLevel: AccessLevel.DEVELOPER,
  })
  expect(await ProjectAccessTokens.all(project.id)).toMatchObject([{ id: made.id, access_level: 30 }])
  await ProjectAccessTokens.revoke(project.id, made.id)
  expect(await refusalOf(ProjectAccessTokens.show(project.id, 9999))).toMatchObject({ status: 404 })
})

test('git takes the name or the address with the password, and tokens of bots', async () => {
  const service = opened()
  const account = { username: 'lucy', name: 'Lucy', email: 'lucy@example.com', password: PASSWORD }
  const { id } = await service.json<{ id: number }>('POST', '/users', account)
  const { token } = await service.json<{ token: string }>('POST', `/users/${id}/personal_access_tokens`, {
    name: 'x',
    scopes: ['api'],
  })
  const project = await service.addProject({ a: 'a' }, { ...service.root, id, username: 'lucy', token })
  const bot = await service.json<{ token: string }>('POST', `/projects/${project.id}/access_tokens`, {
    name: 'x',
    scopes: ['read_repository'],
    access_level: 20,
  })
  const read = async (name: string, password: string): Promise<number | undefined> => {
    const credentials = `${encodeURIComponent(name)}:${encodeURIComponent(password)}@`
    const remote = `${service.url.replace('//', `//${credentials}`)}/${project.path}.git`
    const options = { cwd: await tempDir(), reject: false, env: { GIT_TERMINAL_PROMPT: '0' } }
    return (await execa('git', ['ls-remote', remote], options)).exitCode
  }
  expect(await read('lucy', PASSWORD)).toBe(0)
  expect(await read('Lucy@example.com', PASSWORD)).toBe(0)
  expect(await read('anything', bot.token)).toBe(0)
  expect(await read('lucy', 'wrong password')).toBe(128)
})
