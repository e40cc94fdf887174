import { expect, test } from 'vitest'

import { createGroup } from '../../../../src/coordinator/accounts/groups/groups.js'
import { storeSettings } from '../../../../src/coordinator/database/stores/application-setting-store.js'
import { inTransaction } from '../../../../src/coordinator/database/transaction.js'
import { MirrorWorker } from '../../../../src/coordinator/hosting/mirrors/mirror-worker.js'
import { remoteMirrorOperations } from '../../../../src/coordinator/hosting/mirrors/operations.js'
import { transferProject } from '../../../../src/coordinator/hosting/projects/transfer/transfer-project.js'
import { replaceGroupRecords } from '../../../../src/coordinator/planning/transfer/replace-group-records.js'
import { LocalAddressError } from '../../../../src/egress/errors.js'
import { describeOnDatabase, type OpenDatabase, openSqlite } from '../../../support/databases.js'
import { gitOk, workTree } from '../../../support/git-client.js'
import { onFinished, openForFile } from '../../../support/lifetime.js'
import { testAtNight } from '../../../support/nightly.js'
import { addPerson, openApp, testSecrets } from '../../support/test-app.js'
import { type GitServer, gitServerForFile, startGitServer } from '../repositories/git-server.js'

const startSource = gitServerForFile()
const startTarget = gitServerForFile()

interface Mirror {
  id: number
  url: string
  update_status: string
  last_error: string | null
}

/** A server with a project `ada/app`, an API for its mirrors, and a worker that pushes on request. */
async function openMirrors(
  open: OpenDatabase = openSqlite,
  { isLocalAllowed = true, start = startSource } = {},
) {
  const server = await start(open)
  const { database, repositories, logger } = server
  const secrets = testSecrets()
  const worker = new MirrorWorker({
    database,
    repositories,
    secrets,
    logger,
    addressOf: async ({ hostname }) => {
      if (!isLocalAllowed) throw new LocalAddressError(hostname)
      return '127.0.0.1'
    },
  })
  const app = openApp(
    database,
    remoteMirrorOperations({ database, secrets, refuses: () => !isLocalAllowed, wake: () => worker.wake() }),
  )
  const root = await addPerson(database, 'root', { admin: true })
  const path = `/projects/${server.project.id}/remote_mirrors`
  const stopping = new AbortController()
  const running = worker.run(stopping.signal)
  onFinished(async () => {
    stopping.abort()
    await running
  })
  return {
    server,
    worker,
    call: (route: string, body?: object) => app.call(root, route.replace(' ', ` ${path}`), body),
  }
}

async function pushTo(server: GitServer, ...refs: string[]): Promise<string> {
  const tree = await workTree()
  await gitOk(tree, 'tag', 'v1')
  await gitOk(tree, 'push', server.remote(), ...refs)
  return gitOk(tree, 'rev-parse', 'HEAD')
}

/** The mirror once it has been pushed to, or could not be. */
function settled(api: Awaited<ReturnType<typeof openMirrors>>, id: number): Promise<Mirror> {
  return expect
    .poll(async () => (await api.call(`GET /${id}`)).json<Mirror>().update_status, { timeout: 20_000 })
    .toMatch(/finished|failed/)
    .then(async () => (await api.call(`GET /${id}`)).json<Mirror>())
}

describeOnDatabase('a remote mirror', (open) => {
  test('gets the branches and tags of the project, and nothing else', async () => {
    const target = await startTarget()
    const api = await openMirrors(open)
    const sha = await pushTo(api.server, 'main', 'main:x', 'v1')
    await api.server.repositories.createPipelineRef(api.server.project.id, 7, sha)
    const made = await api.call('POST ', { url: target.remote(), enabled: true })
    expect(made.statusCode).toBe(201)
    expect(await settled(api, made.json<Mirror>().id)).toMatchObject({
      update_status: 'finished',
      last_error: null,
      enabled: true,
      last_successful_update_at: expect.any(String) as string,
    })
    const refs = await gitOk('/', 'ls-remote', target.remote())
    expect(refs.split('\n').map((line) => line.split('\t')[1])).toEqual([
      'HEAD',
      'refs/heads/main',
      'refs/heads/x',
      'refs/tags/v1',
    ])
  })

  testAtNight('gets protected branches only, if that is wanted', async () => {
    const target = await startTarget()
    const api = await openMirrors(open)
    await pushTo(api.server, 'main', 'main:x', 'v1')
    const wanted = { url: target.remote(), enabled: true, only_protected_branches: true }
    const { id } = (await api.call('POST ', wanted)).json<Mirror>()
    expect(await settled(api, id)).toMatchObject({ update_status: 'finished' })
    expect(await gitOk('/', 'ls-remote', '--heads', '--tags', target.remote())).toMatch(/refs\/heads\/main$/)
  })
})

test('push credentials are never shown', async () => {
  const api = await openMirrors()
  const url = 'https://ada:s3cret@git.example/x.git'
  const made = await api.call('POST ', { url })
  const { id } = made.json<Mirror>()
  const record = {
    id,
    enabled: false,
    url: 'https://*****:*****@git.example/x.git',
    only_protected_branches: false,
    keep_divergent_refs: false,
    update_status: 'none',
    last_error: null,
    last_update_at: null,
    last_update_started_at: null,
    last_successful_update_at: null,
  }
  expect([made.statusCode, made.json()]).toEqual([201, record])
  const edited = await api.call(`PUT /${id}`, { keep_divergent_refs: true })
  expect(edited.json()).toEqual({ ...record, keep_divergent_refs: true })
  expect((await api.call('GET ')).json()).toEqual([{ ...record, keep_divergent_refs: true }])
  const stored = await api.server.database.selectFrom('remote_mirror').selectAll().execute()
  expect(JSON.stringify(stored)).not.toContain('s3cret')
  expect((await api.call(`DELETE /${id}`)).statusCode).toBe(204)
  expect((await api.call(`DELETE /${id}`)).json()).toEqual({ message: '404 Not found' })
})

const withoutMirrors = openForFile(() =>
  openMirrors(openSqlite, { isLocalAllowed: false, start: (open) => startGitServer(open) }),
)

test.each([
  ['file:///etc', 'is blocked: Only allowed schemes are http, https'],
  ['nothing', 'must be a valid URL'],
  ['http://localhost/x.git', 'is blocked: Requests to localhost are not allowed'],
  ['http://10.0.0.1/x.git', 'is blocked: Requests to the local network are not allowed'],
])('an address like %s is refused', async (url, problem) => {
  const api = withoutMirrors()
  const refused = await api.call('POST ', { url, enabled: true })
  expect([refused.statusCode, refused.json()]).toEqual([400, { message: { url: [problem] } }])
})

test('a name that leads into the network of the server is not pushed to, and a failure says why', async () => {
  const api = await openMirrors(openSqlite, { isLocalAllowed: false })
  await pushTo(api.server, 'main')
  const inside = await api.call('POST ', { url: 'http://inside.example/x.git', enabled: true })
  expect(await settled(api, inside.json<Mirror>().id)).toMatchObject({
    update_status: 'failed',
    last_error: expect.stringContaining('inside.example is an address of the local network') as string,
  })
})

test('a mirror is not pushed to for a user who was blocked, deleted or demoted, or whom a setting forbids mirrors', async () => {
  const api = await openMirrors()
  const { database, project } = api.server
  await pushTo(api.server, 'main')
  const target = await startTarget()
  const meg = await addPerson(database, 'meg')
  const { id } = (await api.call('POST ', { url: target.remote() })).json<Mirror>()
  const change = (values: { state?: 'active' | 'blocked' }) =>
    database.updateTable('user').set(values).where('id', '=', meg.id).execute()
  const setLevel = (access_level: number) =>
    database.updateTable('member').set({ access_level }).where('user_id', '=', meg.id).execute()
  const allowMirrors = (isAllowed: boolean) =>
    inTransaction(database, (tx) =>
      storeSettings(tx, [{ name: 'mirror_available', value: JSON.stringify(isAllowed), updated_at: 0 }]),
    )
  await database
    .insertInto('member')
    .values({ project_id: project.id, user_id: meg.id, access_level: 40, created_at: 0 })
    .execute()
  const setUser = () => database.updateTable('remote_mirror').set({ user_id: meg.id }).execute()
  const losses = [
    ['not active', () => change({ state: 'blocked' }), () => change({ state: 'active' })],
    ['no maintainer', () => setLevel(30), () => setLevel(40)],
    ['not administrators', () => allowMirrors(false), () => allowMirrors(true)],
    ['not active', () => database.updateTable('remote_mirror').set({ user_id: null }).execute(), setUser],
  ] as const
  await setUser()
  const push = async () => {
    const renewed = { enabled: true, update_status: 'none', last_update_started_at: null } as const
    await database.updateTable('remote_mirror').set(renewed).execute()
    api.worker.wake()
    return settled(api, id)
  }
  for (const [reason, lose, regain] of losses) {
    await lose()
    expect(await push()).toMatchObject({
      update_status: 'failed',
      last_error: expect.stringContaining(reason) as string,
    })
    await regain()
  }
  expect(await gitOk('/', 'ls-remote', target.remote())).toBe('')
  expect(await push()).toMatchObject({ update_status: 'finished', last_error: null })
})

test('a mirror is not pushed to once the project has left the group by which its user was a maintainer', async () => {
  const api = await openMirrors()
  const { database, project, services } = api.server
  const target = await startTarget()
  await pushTo(api.server, 'main')
  const meg = await addPerson(database, 'meg')
  const crew = await createGroup(services, { name: 'crew', path: 'crew' }, meg)
  const root = await database
    .selectFrom('user')
    .selectAll()
    .where('username', '=', 'root')
    .executeTakeFirstOrThrow()
  const { id } = (await api.call('POST ', { url: target.remote() })).json<Mirror>()
  const push = async () => {
    const renewed = { enabled: true, update_status: 'none', last_update_started_at: null } as const
    await database
      .updateTable('remote_mirror')
      .set({ ...renewed, user_id: meg.id })
      .execute()
    api.worker.wake()
    return settled(api, id)
  }
  await transferProject({ database, onMoved: replaceGroupRecords }, project, String(crew.id), root)
  expect(await push()).toMatchObject({ update_status: 'finished' })
  await transferProject({ database, onMoved: replaceGroupRecords }, project, 'ada', root)
  expect(await push()).toMatchObject({
    update_status: 'failed',
    last_error: expect.stringContaining('no maintainer') as string,
  })
})

test('a mirror is pushed to for the user who has saved it last', async () => {
  const api = await openMirrors()
  const { database } = api.server
  const made = await api.call('POST ', { url: 'https://git.example/x.git' })
  await database.updateTable('remote_mirror').set({ user_id: null }).execute()
  await api.call(`PUT /${made.json<Mirror>().id}`, { keep_divergent_refs: true })
  const users = await database
    .selectFrom('remote_mirror')
    .innerJoin('user', 'user.id', 'remote_mirror.user_id')
    .select('username')
    .execute()
  expect(users).toEqual([{ username: 'root' }])
})

testAtNight('a mirror is pushed to again when that is asked for, unless it is disabled', async () => {
  const api = await openMirrors()
  await pushTo(api.server, 'main')
  const target = await startTarget()
  const made = await api.call('POST ', { url: target.remote(), enabled: true })
  const { id } = made.json<Mirror>()
  await settled(api, id)
  const { database } = api.server
  const started = async () => {
    const row = await database
      .selectFrom('remote_mirror')
      .select('last_update_started_at')
      .executeTakeFirstOrThrow()
    return row.last_update_started_at
  }
  const activity = { last_activity_at: 0 }
  await database.updateTable('project').set(activity).execute()
  await database.updateTable('remote_mirror').set({ last_update_started_at: 1 }).execute()
  expect((await api.call(`POST /${id}/sync`)).statusCode).toBe(204)
  await expect.poll(started, { timeout: 20_000 }).toBeGreaterThan(1)
  await api.call(`PUT /${id}`, { enabled: false })
  const disabled = await api.call(`POST /${id}/sync`)
  expect([disabled.statusCode, disabled.json()]).toEqual([
    400,
    { message: 'Cannot proceed with the push mirroring. Please verify your mirror configuration.' },
  ])
  expect((await api.call(`POST /${id + 1}/sync`)).statusCode).toBe(404)
})
