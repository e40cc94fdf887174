import { expect, test } from 'vitest'

import { runnerStatus } from '../../../../src/coordinator/ci/queue/runner-status.js'
import { RunnerContacts } from '../../../../src/coordinator/ci/runners/contacts.js'
import { allRunners, countRunners, listRunners } from '../../../../src/coordinator/ci/runners/runner-lists.js'
import { FIRST_PAGE } from '../../../../src/coordinator/http/paging/paging.js'
import { describeOnDatabase } from '../../../support/databases.js'
import { type CiCoordinator, ciCoordinatorForFile, pushPipeline } from '../../support/ci-coordinator.js'
import { insertProject } from '../../support/insert-project.js'
import { addMember } from '../../support/project-team.js'
import { INFO, RunnerClient, send } from '../../support/runner-client.js'
import { addRunner } from '../engine/support/records.js'

const openCoordinator = ciCoordinatorForFile()

const HOUR = 3_600_000
const NOW = 1000 * HOUR

test.each([
  [{ active: true, contacted_at: null }, 'never_contacted'],
  [{ active: true, contacted_at: NOW - 1.9 * HOUR }, 'online'],
  [{ active: true, contacted_at: NOW - 2 * HOUR }, 'offline'],
  [{ active: true, contacted_at: NOW - 170 * HOUR }, 'stale'],
  [{ active: true, contacted_at: NOW - 170 * HOUR, created_at: NOW - HOUR }, 'offline'],
  [{ active: false, contacted_at: NOW }, 'paused'],
])('a runner with %j is %s', (runner, status) => {
  expect(runnerStatus({ created_at: 0, ...runner }, NOW)).toBe(status)
})

describeOnDatabase('contacts of runners', (open) => {
  test('an idle runner costs a write every few minutes, a changed one at once', async () => {
    const { database } = await open()
    let now = NOW
    const contacts = new RunnerContacts(database, () => now)
    const { id: runnerId } = await addRunner(database)
    const written = async () => {
      const row = await database.selectFrom('runner').selectAll().executeTakeFirstOrThrow()
      return row.contacted_at
    }
    const contact = { runnerId, systemId: 's_a', info: INFO, ip: '127.0.0.1' }
    await contacts.record(contact)
    expect(await written()).toBe(NOW)
    now += 60_000
    await contacts.record(contact)
    expect(await written()).toBe(NOW)
    await contacts.record({ ...contact, info: { ...INFO, version: '20.0.0' } })
    expect(await written()).toBe(now)
    now += 5 * 60_000
    await contacts.record({ runnerId, systemId: 's_a', ip: '127.0.0.1' })
    expect(await written()).toBe(now)
    expect(await contacts.featuresOf(runnerId, 's_a')).toEqual(INFO.features)
    expect(await contacts.featuresOf(runnerId)).toEqual({})
  })

  test('contacts that arrive together are all stored, but for those of a runner that is gone', async () => {
    const { database } = await open()
    const contacts = new RunnerContacts(database, () => NOW)
    const runners = [await addRunner(database), await addRunner(database), await addRunner(database)]
    const gone = await addRunner(database)
    await database.deleteFrom('runner').where('id', '=', gone.id).execute()
    const results = await Promise.allSettled(
      [...runners, gone].map(({ id }) =>
        contacts.record({ runnerId: id, systemId: 's_a', info: INFO, ip: '127.0.0.1' }),
      ),
    )
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected'])
    const stored = await database.selectFrom('runner').select('contacted_at').execute()
    expect(stored).toEqual(runners.map(() => ({ contacted_at: NOW })))
    expect(await database.selectFrom('runner_manager').selectAll().execute()).toHaveLength(3)
  })

  test('a part of the info of a runner leaves the other parts as they are known', async () => {
    const { database } = await open()
    const contacts = new RunnerContacts(database)
    const { id: runnerId } = await addRunner(database)
    const contact = { runnerId, systemId: 's_a', ip: '127.0.0.1' }
    const config = { gpus: 'all' }
    await contacts.record({ ...contact, info: { ...INFO, config, labels: { zone: 'a' } } })
    await contacts.record({ ...contact, info: { version: '20.0.0' } })
    await contacts.record({ ...contact, info: { features: { cancelable: true } } })
    const known = { name: INFO.name, version: '20.0.0', platform: INFO.platform }
    expect(await database.selectFrom('runner').selectAll().execute()).toMatchObject([known])
    expect(await database.selectFrom('runner_manager').selectAll().execute()).toMatchObject([
      {
        ...known,
        revision: INFO.revision,
        architecture: INFO.architecture,
        executor: INFO.executor,
        shell: INFO.shell,
        features: { cancelable: true },
        config,
        labels: { zone: 'a' },
      },
    ])
  })

  test('filters are combined with AND', async () => {
    const { database } = await open()
    const now = Date.now()
    const first = await addRunner(database, { tags: ['a', 'b', '50%', 'with "quotes"'] })
    const second = await addRunner(database, { tags: ['a'], type: 'project_type' })
    const stale = await addRunner(database, { tags: ['aa'], active: false })
    const old = { created_at: now - 200 * HOUR, contacted_at: now - 190 * HOUR, version: '18.1.0' }
    await database.updateTable('runner').set(old).where('id', '=', stale.id).execute()
    const offline = await addRunner(database)
    const quiet = { contacted_at: now - 3 * HOUR, version: '19.3.0' }
    await database.updateTable('runner').set(quiet).where('id', '=', offline.id).execute()
    const online = await addRunner(database)
    await database.updateTable('runner').set({ contacted_at: now }).where('id', '=', online.id).execute()
    const found = async (filters: object): Promise<number[]> => {
      const paging = FIRST_PAGE
      const { rows, total } = await listRunners(database, allRunners(database), filters, paging)
      expect(total).toBe(rows.length)
      return rows.map(({ id }) => id)
    }
    const all = [online.id, offline.id, stale.id, second.id, first.id]
    expect(await found({})).toEqual(all)
    expect(await found({ tag_list: ['a', 'b'] })).toEqual([first.id])
    expect(await found({ tag_list: ['a'] })).toEqual([second.id, first.id])
    expect(await found({ tag_list: ['A'] })).toEqual([])
    expect(await found({ tag_list: ['50%'] })).toEqual([first.id])
    expect(await found({ tag_list: ['with "quotes"'] })).toEqual([first.id])
    expect(await found({ tag_list: ['_'] })).toEqual([])
    expect(await found({ type: 'project_type' })).toEqual([second.id])
    expect(await found({ scope: 'shared' })).toEqual([online.id, offline.id, stale.id, first.id])
    expect(await found({ scope: 'specific' })).toEqual([second.id])
    expect(await found({ paused: true })).toEqual([stale.id])
    expect(await found({ status: 'paused' })).toEqual([stale.id])
    expect(await found({ paused: false, status: 'active' })).toEqual(all.filter((id) => id !== stale.id))
    expect(await found({ status: 'never_contacted', scope: 'active' })).toEqual([second.id, first.id])
    expect(await found({ status: 'online' })).toEqual([online.id])
    expect(await found({ status: 'offline' })).toEqual([offline.id, stale.id])
    expect(await found({ status: 'stale' })).toEqual([stale.id])
    expect(await found({ version_prefix: '19.' })).toEqual([offline.id])
    await database.updateTable('runner').set({ description: 'Linux-7' }).where('id', '=', second.id).execute()
    expect(await found({ search: 'linux' })).toEqual([second.id])
    expect(await countRunners(database, allRunners(database), now)).toEqual({
      total: 5,
      online: 1,
      offline: 1,
      stale: 0,
      never_contacted: 2,
      paused: 1,
      busy: 0,
    })
    await database.updateTable('runner').set({ active: true }).where('id', '=', stale.id).execute()
    expect(await countRunners(database, allRunners(database), now)).toMatchObject({ stale: 1, paused: 0 })
  })

  test('a page has the runners between those before and those after it, and as many are counted as there are', async () => {
    const { database } = await open()
    const ids: number[] = []
    for (let index = 0; index < 5; index++) ids.unshift((await addRunner(database)).id)
    const { rows, total } = await listRunners(
      database,
      allRunners(database),
      {},
      { ...FIRST_PAGE, perPage: 2, offset: 2 },
    )
    expect(rows.map(({ id }) => id)).toEqual(ids.slice(2, 4))
    expect(total).toBe(5)
    const after = { column: 'id', direction: 'desc', after: { id: ids[1] ?? 0 } } as const
    const next = await listRunners(
      database,
      allRunners(database),
      {},
      { ...FIRST_PAGE, perPage: 2, keyset: after },
    )
    expect(next.rows.map(({ id }) => id)).toEqual(ids.slice(2, 4))
  })
})

async function onlyRunner({ database }: CiCoordinator): Promise<number> {
  return (await database.selectFrom('runner').select('id').executeTakeFirstOrThrow()).id
}

test('a runner is listed and shown with every key, never with its token', async () => {
  const coordinator = await openCoordinator()
  const { app, admin } = coordinator
  const client = await RunnerClient.register(coordinator, { description: 'builder', tag_list: 'docker' })
  await client.request()
  const summary = {
    id: await onlyRunner(coordinator),
    description: 'builder',
    ip_address: '127.0.0.1',
    active: true,
    paused: false,
    is_shared: true,
    runner_type: 'instance_type',
    name: 'gitlab-runner',
    online: true,
    status: 'online',
    created_by: null,
    created_at: expect.any(String) as string,
    job_execution_status: 'idle',
  }
  for (const list of ['/runners', '/runners/all', `/projects/${coordinator.project.id}/runners`]) {
    const response = await app.call(admin, `GET ${list}`)
    expect(response.json()).toEqual([summary])
    expect(response.headers['x-total']).toBe('1')
  }
  const details = await app.call(admin, `GET /runners/${summary.id}`)
  expect(details.json()).toEqual({
    ...summary,
    tag_list: ['docker'],
    run_untagged: true,
    locked: false,
    maximum_timeout: null,
    access_level: 'not_protected',
    version: '19.3.0',
    revision: 'abcdef01',
    platform: 'linux',
    architecture: 'amd64',
    contacted_at: expect.any(String) as string,
    maintenance_note: null,
    weight: 0,
    projects: [],
    groups: [],
  })
  await pushPipeline(coordinator, 'test: { script: make, tags: [docker] }')
  await client.takeJob()
  const [listed] = (await app.call(admin, 'GET /runners/all?with_details=true')).json<object[]>()
  expect(listed).toMatchObject({ ...summary, job_execution_status: 'active' })
  expect(listed).toMatchObject({ tag_list: ['docker'], version: '19.3.0', running_jobs: 1, group_id: null })
  for (const list of ['', `/projects/${coordinator.project.id}`]) {
    expect((await app.call(admin, `GET ${list}/runners/counts`)).json()).toEqual({
      total: 1,
      online: 1,
      offline: 0,
      stale: 0,
      never_contacted: 0,
      paused: 0,
      busy: 1,
    })
  }
  const managers = await app.call(admin, `GET /runners/${summary.id}/managers`)
  expect(managers.json()).toMatchObject([{ system_id: 's_0123456789ab', status: 'online' }])
  expect((await app.call(admin, 'GET /runners?scope=odd')).json()).toEqual({
    message: 'Scope contains invalid value',
  })
})

test('a runner is changed, paused and deleted', async () => {
  const coordinator = await openCoordinator()
  const { app, admin } = coordinator
  await RunnerClient.register(coordinator, { tag_list: 'docker', run_untagged: false })
  const path = `/runners/${await onlyRunner(coordinator)}`
  const changed = await app.call(admin, `PUT ${path}`, {
    paused: true,
    tag_list: ['a', 'b'],
    maximum_timeout: 700,
  })
  expect(changed.json()).toMatchObject({
    active: false,
    status: 'paused',
    tag_list: ['a', 'b'],
    maximum_timeout: 700,
  })
  const refused = await app.call(admin, `PUT ${path}`, { tag_list: [] })
  expect([refused.statusCode, Object.keys(refused.json<{ message: object }>().message)]).toEqual([
    400,
    ['tags_list'],
  ])
  expect((await app.call(admin, `PUT ${path}`, { maximum_timeout: null })).json()).toMatchObject({
    maximum_timeout: null,
  })
  expect((await app.call(admin, `DELETE ${path}`)).statusCode).toBe(204)
  expect((await app.call(admin, `GET ${path}`)).json()).toEqual({ message: '404 Runner Not Found' })
})

test('users create runners with a token that says so', async () => {
  const coordinator = await openCoordinator()
  const { app, admin, project, url } = coordinator
  const maintainer = await addMember(coordinator, 'maintainer', 40)
  const developer = await addMember(coordinator, 'developer', 30)
  const wanted = { runner_type: 'project_type', project_id: project.id, tag_list: ['x'] }
  const created = await app.call(maintainer, 'POST /user/runners', wanted)
  expect(created.statusCode).toBe(201)
  const { token } = created.json<{ token: string }>()
  expect(token).toMatch(/^glrt-t3_[\w-]{20}$/)
  expect((await send(url, 'POST', '/runners/verify', { token })).status).toBe(200)
  expect((await app.call(maintainer, 'GET /runners')).json()).toMatchObject([
    { created_by: { username: 'maintainer' } },
  ])
  expect((await app.call(developer, 'POST /user/runners', wanted)).statusCode).toBe(403)
  expect(
    (await app.call(maintainer, 'POST /user/runners', { runner_type: 'instance_type' })).statusCode,
  ).toBe(403)
  expect(
    (await app.call(admin, 'POST /user/runners', { runner_type: 'instance_type' })).json(),
  ).toMatchObject({
    token: expect.stringMatching(/^glrt-t1_/) as string,
  })
  expect((await app.call(admin, 'POST /user/runners', { runner_type: 'project_type' })).json()).toEqual({
    error: 'project_id is missing',
  })
})

test('a project runner is shared with another project and taken away again', async () => {
  const coordinator = await openCoordinator()
  const { app, admin, database, project, projectRegistrationToken, url } = coordinator
  await send(url, 'POST', '/runners', { token: projectRegistrationToken, info: INFO })
  const id = await onlyRunner(coordinator)
  const other = await insertProject(database, {
    namespace_id: project.namespace_id,
    creator_id: admin.id,
    full_path: 'group/other',
  })
  const only = await app.call(admin, `DELETE /projects/${project.id}/runners/${id}`)
  expect(only.statusCode).toBe(403)
  const enabled = await app.call(admin, `POST /projects/${other.id}/runners`, { runner_id: id })
  expect([enabled.statusCode, enabled.json<{ id: number }>().id]).toEqual([201, id])
  expect((await app.call(admin, `POST /projects/${other.id}/runners`, { runner_id: id })).statusCode).toBe(
    400,
  )
  await database.updateTable('namespace').set({ name: 'Group' }).where('path', '=', 'group').execute()
  expect((await app.call(admin, `GET /runners/${id}`)).json()).toMatchObject({
    projects: [{ path_with_namespace: 'group/app', name_with_namespace: 'Group / App' }, { name: 'other' }],
  })
  const maintainer = await addMember(coordinator, 'maintainer', 40)
  expect((await app.call(maintainer, `DELETE /runners/${id}`)).json()).toEqual({
    message: '403 Forbidden - Runner associated with more than one project',
  })
  expect((await app.call(admin, `DELETE /projects/${other.id}/runners/${id}`)).statusCode).toBe(204)
  await app.call(admin, `PUT /runners/${id}`, { locked: true })
  expect((await app.call(admin, `POST /projects/${other.id}/runners`, { runner_id: id })).json()).toEqual({
    message: '403 Forbidden - Runner is locked',
  })
})

test('registration and authentication tokens are replaced', async () => {
  const coordinator = await openCoordinator()
  const { app, admin, project, url, registrationToken } = coordinator
  for (const path of ['/runners', `/projects/${project.id}/runners`]) {
    const reset = await app.call(admin, `POST ${path}/reset_registration_token`)
    expect(reset.statusCode).toBe(201)
    const { token } = reset.json<{ token: string }>()
    expect(token).toMatch(/^GR1348941[\w-]{20}$/)
    expect((await send(url, 'POST', '/runners', { token, info: INFO })).status).toBe(201)
  }
  expect((await send(url, 'POST', '/runners', { token: registrationToken, info: INFO })).status).toBe(403)
  const id = await onlyRunner(coordinator)
  const fresh = (await app.call(admin, `POST /runners/${id}/reset_authentication_token`)).json<{
    token: string
  }>()
  expect((await send(url, 'POST', '/runners/verify', { token: fresh.token })).status).toBe(200)
})

test('others than maintainers and administrators are kept from runners', async () => {
  const coordinator = await openCoordinator()
  const { app, project, url, projectRegistrationToken } = coordinator
  await send(url, 'POST', '/runners', { token: projectRegistrationToken, info: INFO })
  const id = await onlyRunner(coordinator)
  const developer = await addMember(coordinator, 'developer', 30)
  const maintainer = await addMember(coordinator, 'maintainer', 40)
  expect((await app.call(undefined, 'GET /runners')).statusCode).toBe(401)
  expect((await app.call(developer, 'GET /runners')).json()).toEqual([])
  expect((await app.call(developer, 'GET /runners/all')).statusCode).toBe(403)
  expect((await app.call(developer, `GET /runners/${id}`)).json()).toEqual({
    message: '403 Forbidden - No access granted',
  })
  expect((await app.call(developer, `GET /projects/${project.id}/runners`)).statusCode).toBe(403)
  expect((await app.call(maintainer, `GET /runners/${id}`)).statusCode).toBe(200)
  expect((await app.call(maintainer, `DELETE /runners/${id}`)).statusCode).toBe(204)
})
