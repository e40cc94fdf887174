import { expect, test } from 'vitest'

import { deleteUser } from '../../../../src/coordinator/accounts/users/deletion/delete-user.js'
import { createProject } from '../../../../src/coordinator/hosting/projects/create/create-project.js'
import { accountDeps } from '../../../../src/coordinator/start/account-deps.js'
import { describeOnDatabase, type OpenDatabase } from '../../../support/databases.js'
import { NO_IMPORTS } from '../../support/no-imports.js'
import { addMember, addRunningJob } from '../repositories/git-server.js'
import { startLfs } from './lfs-client.js'

const LOCKS = 'info/lfs/locks'
const LOCK = `POST ${LOCKS}`
const VERIFY = `POST ${LOCKS}/verify`

async function locked(path = 'art/logo.psd', open?: OpenDatabase) {
  const server = await startLfs(open)
  const made = await server.lfs(LOCK, { body: { path, ref: { name: 'refs/heads/main' } } })
  const { lock } = made.json() as { lock: { id: string; locked_at: string } }
  return { server, made, lock, unlock: `${LOCK}/${lock.id}/unlock` }
}

describeOnDatabase('locks', (open) => {
  test('a file is locked once, and listed with its owner', async () => {
    const { server, made, lock } = await locked('art/logo.psd', open)
    expect(made.status).toBe(201)
    expect(lock).toEqual({
      id: expect.stringMatching(/^\d+$/) as string,
      path: 'art/logo.psd',
      locked_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
      owner: { name: 'Ada' },
    })
    const token = await addMember(server, 'eve', 30)
    for (const given of [{}, { token }]) {
      const again = await server.lfs(LOCK, { ...given, body: { path: 'art/logo.psd' } })
      expect(again.status).toBe(409)
      expect(again.json()).toEqual({ message: 'The file is locked by Ada.', lock })
    }
    expect((await server.lfs(`GET ${LOCKS}`)).json()).toEqual({ locks: [lock] })
    expect((await server.lfs(VERIFY, { body: {} })).json()).toEqual({ ours: [lock], theirs: [] })
    expect((await server.lfs(VERIFY, { token, body: {} })).json()).toEqual({ ours: [], theirs: [lock] })
  })

  test('locks are found by path and ID, and listed in pages', async () => {
    const { server, lock } = await locked('a', open)
    for (const path of ['b', 'c']) await server.lfs(LOCK, { body: { path } })
    const paths = async (query: string) => {
      const { locks } = (await server.lfs(`GET ${LOCKS}?${query}`)).json() as { locks: { path: string }[] }
      return locks.map(({ path }) => path)
    }
    expect(await paths('path=b')).toEqual(['b'])
    expect(await paths(`id=${lock.id}`)).toEqual(['a'])
    expect(await paths('path=d')).toEqual([])
    const first = (await server.lfs(`GET ${LOCKS}?limit=2`)).json()
    expect(await paths(`limit=2&cursor=${String(first['next_cursor'])}`)).toEqual(['c'])
    const verified = (await server.lfs(VERIFY, { body: { limit: 2 } })).json()
    const rest = await server.lfs(VERIFY, { body: { limit: 2, cursor: verified['next_cursor'] } })
    expect(rest.json()).toEqual({ ours: [expect.objectContaining({ path: 'c' })], theirs: [] })
  })
})

test('the owner removes a lock, and maintainers remove those of others with force', async () => {
  const { server, lock, unlock } = await locked()
  const developer = await addMember(server, 'eve', 30)
  const maintainer = await addMember(server, 'max', 40)
  const ask = async (token: string, force: boolean) =>
    (await server.lfs(unlock, { token, body: { force } })).status
  expect(await ask(developer, false)).toBe(403)
  expect(await ask(developer, true)).toBe(403)
  expect(await ask(maintainer, false)).toBe(403)
  expect((await server.lfs(unlock, { token: maintainer, body: { force: true } })).json()).toEqual({ lock })
  expect(await ask(server.ownerToken, false)).toBe(404)
  const { lock: own } = (await server.lfs(LOCK, { body: { path: 'b' } })).json() as { lock: { id: string } }
  expect((await server.lfs(`${LOCK}/${own.id}/unlock`, { body: {} })).status).toBe(200)
  expect((await server.lfs(`GET ${LOCKS}`)).json()).toEqual({ locks: [] })
})

test.each([
  [0, 404, 404],
  [10, 403, 403],
  [20, 200, 403],
  [30, 200, 201],
])('a member of level %i: see locks %i, lock %i', async (level, see, lock) => {
  const { server, unlock } = await locked()
  const token = await addMember(server, 'eve', level)
  expect((await server.lfs(`GET ${LOCKS}`, { token })).status).toBe(see)
  expect((await server.lfs(LOCK, { token, body: { path: 'b' } })).status).toBe(lock)
  expect((await server.lfs(VERIFY, { token, body: {} })).status).toBe(lock === 201 ? 200 : lock)
  expect((await server.lfs(unlock, { token, body: { force: true } })).status).toBe(lock === 201 ? 403 : lock)
})

test('jobs see locks and do not lock', async () => {
  const { server } = await locked()
  const token = await addRunningJob(server, server.project)
  expect((await server.lfs(`GET ${LOCKS}`, { token })).status).toBe(200)
  expect((await server.lfs(LOCK, { token, body: { path: 'b' } })).status).toBe(403)
})

test.each([
  [LOCK, {}, 422],
  [LOCK, { path: '' }, 422],
  [LOCK, { path: 'ä'.repeat(1001) }, 422],
  [LOCK, { path: 'a\u0000b' }, 422],
  [VERIFY, { cursor: 'x' }, 422],
  [VERIFY, { limit: 0 }, 422],
  [`GET ${LOCKS}?id=x`, undefined, 422],
  [`${LOCK}/1234/unlock`, {}, 404],
  [`${LOCK}/x/unlock`, {}, 404],
  [`GET ${LOCKS}/1`, undefined, 404],
  [`PUT ${LOCKS}`, {}, 404],
])('%s with %j is refused with %i', async (call, body, status) => {
  const server = await startLfs()
  expect((await server.lfs(call, { ...(body && { body }) })).status).toBe(status)
})

test('a lock of another project is not found', async () => {
  const { server, lock, unlock } = await locked()
  await createProject({ ...server.services, imports: NO_IMPORTS }, { name: 'other' }, server.owner)
  const project = 'ada/other'
  expect((await server.lfs(unlock, { project, body: {} })).status).toBe(404)
  expect((await server.lfs(`GET ${LOCKS}`, { project })).json()).toEqual({ locks: [] })
  expect((await server.lfs(`GET ${LOCKS}`)).json()).toEqual({ locks: [lock] })
})

test('the locks of a deleted user are removed', async () => {
  const { server } = await locked()
  const token = await addMember(server, 'eve', 30)
  await server.lfs(LOCK, { token, body: { path: 'b' } })
  const { id } = await server.database
    .selectFrom('user')
    .select('id')
    .where('username', '=', 'eve')
    .executeTakeFirstOrThrow()
  await deleteUser(accountDeps(server.services), id)
  expect((await server.lfs(`GET ${LOCKS}`)).json()).toMatchObject({ locks: [{ path: 'art/logo.psd' }] })
})
