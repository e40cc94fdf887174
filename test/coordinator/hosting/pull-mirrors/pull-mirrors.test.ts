import { expect, test } from 'vitest'

import { createGroup } from '../../../../src/coordinator/accounts/groups/groups.js'
import { transferProject } from '../../../../src/coordinator/hosting/projects/transfer/transfer-project.js'
import { pullMirrorOperations } from '../../../../src/coordinator/hosting/pull-mirrors/operations.js'
import { PullMirrorWorker } from '../../../../src/coordinator/hosting/pull-mirrors/pull-worker.js'
import { requestPull } from '../../../../src/coordinator/hosting/pull-mirrors/store.js'
import { replaceGroupRecords } from '../../../../src/coordinator/planning/transfer/replace-group-records.js'
import { LocalAddressError } from '../../../../src/egress/errors.js'
import { describeOnDatabase, type OpenDatabase, openSqlite } from '../../../support/databases.js'
import { commit, gitOk, workTree } from '../../../support/git-client.js'
import { onFinished } from '../../../support/lifetime.js'
import { testAtNight } from '../../../support/nightly.js'
import { addPerson, openApp, testSecrets } from '../../support/test-app.js'
import { type GitServer, gitServerForFile } from '../repositories/git-server.js'

const startSource = gitServerForFile()
const startMirror = gitServerForFile()

interface Mirror {
  update_status: string
  last_error: string | null
  [key: string]: unknown
}

/** A source with its work tree, and a server whose project `ada/app` can be its mirror. */
async function openMirror(open: OpenDatabase = openSqlite, isLocalAllowed = true) {
  const source = await startSource()
  const tree = await workTree()
  await gitOk(tree, 'tag', 'v1')
  await gitOk(tree, 'push', source.remote(), 'main', 'main:topic', 'v1')
  const server = await startMirror(open)
  const { database } = server
  const secrets = testSecrets()
  const worker = new PullMirrorWorker({
    pushes: server,
    secrets,
    addressOf: async ({ hostname }) => {
      if (!isLocalAllowed) throw new LocalAddressError(hostname)
      return '127.0.0.1'
    },
  })
  const app = openApp(database, pullMirrorOperations({ database, secrets, refuses: () => !isLocalAllowed }))
  const root = await addPerson(database, 'root', { admin: true })
  const stopping = new AbortController()
  const running = worker.run(stopping.signal)
  onFinished(async () => {
    stopping.abort()
    await running
  })
  const call = async (method: string, body?: object): Promise<[number, Mirror]> => {
    const response = await app.call(root, `${method} /projects/${server.project.id}/mirror/pull`, body)
    return [response.statusCode, response.json<Mirror>()]
  }
  /** The mirror once its update has ended. */
  const settled = async (): Promise<Mirror> => {
    await expect
      .poll(async () => (await call('GET'))[1].update_status, { timeout: 20_000, interval: 20 })
      .toMatch(/finished|failed/)
    return (await call('GET'))[1]
  }
  return { source, tree, server, call, settled }
}

async function refsOf({ repositories, project }: GitServer): Promise<Record<string, string | undefined>> {
  const names = ['main', 'topic', 'next', 'v1']
  const found = await Promise.all(names.map((name) => repositories.resolveRef(project.id, name)))
  return Object.fromEntries(names.map((name, index) => [name, found[index]?.sha]))
}

describeOnDatabase('a pull mirror', (open) => {
  test('takes over branches and tags of its source, at once and whenever it is asked for', async () => {
    const { source, tree, server, call, settled } = await openMirror(open)
    expect(await call('POST')).toEqual([400, { message: 'The project is not mirrored' }])
    expect((await call('GET'))[0]).toBe(404)
    const first = await gitOk(tree, 'rev-parse', 'HEAD')
    const [status, made] = await call('PUT', { url: source.remote() })
    expect(status).toBe(200)
    expect(made.url).toMatch(/^http:\/\/any:\*+@|^http:\/\/\*+:\*+@/)
    expect(await settled()).toMatchObject({ update_status: 'finished', last_error: null, enabled: true })
    expect(await refsOf(server)).toEqual({ main: first, topic: first, next: undefined, v1: first })
    expect(server.pushed).toEqual([])
    const second = await commit(tree, { b: 'b' })
    await gitOk(tree, 'push', source.remote(), 'main', 'main:next')
    expect((await call('POST'))[1]).toMatchObject({ update_status: 'scheduled' })
    await settled()
    expect(await refsOf(server)).toEqual({ main: second, topic: first, next: second, v1: first })
    const project = await server.database.selectFrom('project').select('mirror').executeTakeFirstOrThrow()
    expect(project.mirror).toBe(true)
  })
})

testAtNight(
  'a branch with commits of its own stays, and is named, unless the mirror overwrites it',
  async () => {
    const { source, tree, server, call, settled } = await openMirror()
    await call('PUT', { url: source.remote(), mirror_trigger_builds: true })
    await settled()
    expect(server.pushed.map(({ ref }) => ref).toSorted()).toEqual(['main', 'topic', 'v1'])
    const own = await workTree({ own: 'own' })
    await gitOk(own, 'push', '--force', server.remote(), 'main:topic')
    const kept = await gitOk(own, 'rev-parse', 'HEAD')
    const ahead = await commit(tree, { c: 'c' })
    await gitOk(tree, 'push', source.remote(), 'main', 'main:topic')
    await call('POST')
    expect(await settled()).toMatchObject({ update_status: 'finished', last_error: 'Diverged: topic' })
    expect(await refsOf(server)).toMatchObject({ main: ahead, topic: kept })
    await call('PUT', { mirror_overwrites_diverged_branches: true })
    expect(await settled()).toMatchObject({ last_error: null })
    expect(await refsOf(server)).toMatchObject({ topic: ahead })
  },
)

testAtNight('only protected branches are taken over if that is wanted', async () => {
  const { source, server, call, settled } = await openMirror()
  const rule = {
    kind: 'branch' as const,
    name: 'main',
    push_access_level: 40,
    merge_access_level: 40,
    created_at: 0,
  }
  await server.database
    .insertInto('protected_ref')
    .values({ ...rule, project_id: server.project.id })
    .execute()
  await call('PUT', { url: source.remote(), only_mirror_protected_branches: true })
  await settled()
  expect(await refsOf(server)).toMatchObject({ main: expect.any(String) as string, topic: undefined })
})

testAtNight('a source that cannot be reached, or must not be, is an error with the reason', async () => {
  const { source, call, settled } = await openMirror()
  await call('PUT', { url: source.remote('wrong-token') })
  expect(await settled()).toMatchObject({
    update_status: 'failed',
    last_error: expect.stringMatching(/./) as string,
  })
  expect(await call('PUT', { url: 'ftp://example.com/a.git' })).toEqual([
    400,
    { message: { url: ['is blocked: Only allowed schemes are http, https'] } },
  ])
  const local = await openMirror(openSqlite, false)
  expect((await local.call('PUT', { url: 'http://127.0.0.1/a.git' }))[0]).toBe(400)
  await local.call('PUT', { url: 'http://localhost.example/a.git' })
  expect(await local.settled()).toMatchObject({ update_status: 'failed' })
  expect(await local.call('PUT', { enabled: false })).toMatchObject([200, { enabled: false }])
  expect((await local.call('POST'))[0]).toBe(400)
})

test('a mirror takes over nothing once the project has left the group by which its user was a maintainer', async () => {
  const { source, tree, server, call, settled } = await openMirror()
  const { database, project, services } = server
  const meg = await addPerson(database, 'meg')
  const crew = await createGroup(services, { name: 'crew', path: 'crew' }, meg)
  const root = await database
    .selectFrom('user')
    .selectAll()
    .where('username', '=', 'root')
    .executeTakeFirstOrThrow()
  await transferProject({ database, onMoved: replaceGroupRecords }, project, String(crew.id), root)
  await call('PUT', { url: source.remote() })
  await settled()
  await database.updateTable('pull_mirror').set({ user_id: meg.id }).execute()
  await call('POST')
  expect(await settled()).toMatchObject({ update_status: 'finished', last_error: null })
  const before = await refsOf(server)
  await commit(tree, { b: 'b' })
  await gitOk(tree, 'push', source.remote(), 'main')
  await transferProject({ database, onMoved: replaceGroupRecords }, project, 'ada', root)
  const { id } = await database.selectFrom('pull_mirror').select('id').executeTakeFirstOrThrow()
  await requestPull(database, id)
  await expect.poll(async () => (await call('GET'))[1].update_status, { interval: 20 }).toBe('failed')
  expect((await call('GET'))[1].last_error).toContain('no maintainer of the project any more')
  expect(await refsOf(server)).toEqual(before)
})

test('a mirror takes over nothing for a user who was blocked or has lost the right to set it up', async () => {
  const { source, tree, server, call, settled } = await openMirror()
  const { database } = server
  await call('PUT', { url: source.remote() })
  await settled()
  const before = await refsOf(server)
  await commit(tree, { b: 'b' })
  await gitOk(tree, 'push', source.remote(), 'main')
  const mirror = () => database.selectFrom('pull_mirror').selectAll().executeTakeFirstOrThrow()
  const pull = async () => {
    await requestPull(database, (await mirror()).id)
    await expect.poll(async () => (await mirror()).update_status, { interval: 20 }).toBe('failed')
    return (await mirror()).last_error
  }
  const change = (values: { is_admin: boolean; state: 'active' | 'blocked' }) =>
    database.updateTable('user').set(values).where('username', '=', 'root').execute()
  await change({ is_admin: false, state: 'active' })
  expect(await pull()).toMatch('The user who has set up the mirror is no maintainer of the project any more')
  await change({ is_admin: true, state: 'blocked' })
  expect(await pull()).toMatch('The user who has set up the mirror is not active any more')
  expect(await refsOf(server)).toEqual(before)
})
