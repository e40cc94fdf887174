import { describe, expect, test } from 'vitest'

import { GROUPS } from '../../../../support/ldap-server.js'
import { type DirectoryScene, openDirectoryScene } from '../ldap-scene.js'
import { sync } from '../sync-scene.js'

/** A directory with accounts for these users, who have signed in. */
async function openWith(users: string[], given: Parameters<typeof openDirectoryScene>[0] = {}) {
  const scene = await openDirectoryScene({ ...given, rules: { newAccounts: true, ...given.rules } })
  for (const username of users) {
    await scene.server.addUser(username, username)
    await scene.signIn(scene.visitor(), { username, password: username })
  }
  return scene
}

async function statesOf({ call, root }: DirectoryScene): Promise<Record<string, string>> {
  const users = (await call(root, 'GET /users?per_page=100')).json<{ username: string; state: string }[]>()
  return Object.fromEntries(users.map(({ username, state }) => [username, state]))
}

const dnOf = (username: string) => `uid=${username},ou=people,dc=example,dc=org`

test('an account whose entry is removed or disabled is blocked, the others stay', async () => {
  const scene = await openWith(['ann', 'bob', 'cid', 'dan'])
  await scene.server.remove(dnOf('ann'))
  await scene.server.change(dnOf('bob'), { userAccountControl: '514' })
  await scene.server.change(dnOf('cid'), { userAccountControl: '528' }) // locked for a while
  await sync(scene)
  expect(await statesOf(scene)).toMatchObject({
    ann: 'ldap_blocked',
    bob: 'ldap_blocked',
    cid: 'active',
    dan: 'active',
    mary: 'active', // has no identity
  })
})

describe('nobody is blocked', () => {
  test('while no server responds, and the run fails', async () => {
    const scene = await openWith(['ann', 'bob'])
    await scene.server.stop()
    await expect(sync(scene)).rejects.toThrow('The directory corp was not followed')
    expect(await statesOf(scene)).toMatchObject({ ann: 'active', bob: 'active' })
    await scene.server.listen()
    await sync(scene)
  })

  test('when a search fails', async () => {
    const scene = await openWith(['ann', 'bob'])
    for (const username of ['ann', 'bob']) await scene.server.remove(dnOf(username))
    await scene.server.remove('ou=people,dc=example,dc=org') // the base of the settings
    await expect(sync(scene)).rejects.toThrow('The directory corp was not followed')
    expect(await statesOf(scene)).toMatchObject({ ann: 'active', bob: 'active' })
  })

  test('when the directory has no user left, or all that have accounts are gone at once', async () => {
    const scene = await openWith(['ann', 'bob'])
    for (const username of ['ann', 'bob']) await scene.server.remove(dnOf(username))
    await expect(sync(scene)).rejects.toMatchObject({
      cause: { message: expect.stringContaining('The directory has no users') as string },
    })
    await scene.server.addUser('new', 'new')
    await expect(sync(scene)).rejects.toMatchObject({
      cause: { message: expect.stringContaining('2 of 2 users have no entry any more') as string },
    })
    expect(await statesOf(scene)).toMatchObject({ ann: 'active', bob: 'active' })
  })

  test('whose identity no entry can have, nor the last administrator', async () => {
    const scene = await openWith(['ann', 'bob'])
    const { call, root, mary, database } = scene
    await call(root, `PUT /users/${mary.id}`, { provider: 'corp', extern_uid: 'uid=mary,dc=example' })
    await database.updateTable('user').set({ is_admin: true }).where('username', '=', 'ann').execute()
    await database.updateTable('user').set({ is_admin: false }).where('username', '=', 'root').execute()
    await scene.server.remove(dnOf('ann'))
    await sync(scene)
    const states = await database.selectFrom('user').select(['username', 'state']).execute()
    expect(states.filter(({ state }) => state !== 'active')).toEqual([])
  })
})

test('an account that administrators have blocked stays blocked when its user is back', async () => {
  const scene = await openWith(['ann', 'bob'])
  const { call, root, server } = scene
  const [ann] = (await call(root, 'GET /users?username=ann')).json<{ id: number }[]>()
  await call(root, `POST /users/${ann?.id}/block`)
  await server.change(dnOf('ann'), { userAccountControl: '514' })
  await sync(scene)
  await server.change(dnOf('ann'), { userAccountControl: '512' })
  await sync(scene)
  expect(await statesOf(scene)).toMatchObject({ ann: 'blocked', bob: 'active' })
})

test('an administrator unblocks an account by deleting its identity', async () => {
  const scene = await openWith(['ann', 'bob'])
  const { call, root, server } = scene
  await server.remove(dnOf('ann'))
  await sync(scene)
  const [ann] = (await call(root, 'GET /users?blocked=true')).json<{ id: number; username: string }[]>()
  expect(ann?.username).toBe('ann')
  await call(root, `DELETE /users/${ann?.id}/identities/corp`)
  await sync(scene)
  expect(await statesOf(scene)).toMatchObject({ ann: 'active' })
})

test('memberships follow the groups of the directory without a sign-in', async () => {
  const groups = {
    base: GROUPS,
    filter: '(objectClass=*)',
    name: 'cn',
    member: 'member',
    nested: 'no' as const,
  }
  const mapping = new Map([['devs', [{ path: 'app', accessLevel: 30 }]]])
  const scene = await openWith(['ann'], { groups, rules: { groups: mapping } })
  const { call, root, server, database } = scene
  await call(root, 'POST /groups', { name: 'app', path: 'app' })
  const members = () =>
    database
      .selectFrom('member')
      .innerJoin('user', 'user.id', 'member.user_id')
      .select('member.access_level')
      .where('user.username', '=', 'ann')
      .execute()
  const devs = await server.addGroup('devs', [dnOf('ann')])
  await sync(scene)
  expect(await members()).toEqual([{ access_level: 30 }])
  await server.change(devs, { member: [dnOf('nobody')] })
  await sync(scene)
  expect(await members()).toEqual([])
})
