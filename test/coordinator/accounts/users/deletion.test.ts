import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { createGroup } from '../../../../src/coordinator/accounts/groups/groups.js'
import { CONTRIBUTIONS } from '../../../../src/coordinator/accounts/users/deletion/contributions.js'
import {
  deleteUser,
  finishUserDeletions,
  type RemovalDeps,
} from '../../../../src/coordinator/accounts/users/deletion/delete-user.js'
import type { Database } from '../../../../src/coordinator/database/connect.js'
import { accountDeps } from '../../../../src/coordinator/start/account-deps.js'
import { Service } from '../../../conformance/support/service.js'
import { describeOnDatabase, openSqlite } from '../../../support/databases.js'
import { openForFile } from '../../../support/lifetime.js'
import { testAtNight } from '../../../support/nightly.js'
import { removedBySeveral } from '../../support/deleted-concurrently.js'
import { insertProject } from '../../support/insert-project.js'
import { addProject, openPeopleApi } from '../../support/people-api.js'
import { addPerson, type Person, testSecrets } from '../../support/test-app.js'
import { openTestServices } from '../../support/test-coordinator.js'

function isThere(database: Database, { id }: Person): Promise<boolean> {
  return database
    .selectFrom('user')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst()
    .then((row) => row !== undefined)
}

test('deleting a user deletes tokens, keys, email addresses and personal projects', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const project = await addProject(api, mary, { name: 'app' })
  await api.call(mary, 'POST /user/emails', { email: 'mary@work.example' })
  await api.call(mary, `POST /users/${api.root.id}/follow`)
  await api.call(mary, 'PUT /user/status', { emoji: 'tea' })
  const starred = await addProject(api, api.root, { name: 'starred', visibility: 'public' })
  await api.call(mary, `POST /projects/${starred.id}/star`)
  expect((await api.call(mary, `DELETE /users/${mary.id}`)).statusCode).toBe(403)
  expect((await api.call(api.root, `DELETE /users/${mary.id}`)).statusCode).toBe(204)
  expect(api.repositories.deleted).toEqual([project.id])
  expect((await api.call(mary, 'GET /user')).statusCode).toBe(401)
  expect((await api.call(api.root, `DELETE /users/${mary.id}`)).json()).toEqual({
    message: '404 User Not Found',
  })
  expect((await api.call(api.root, `GET /projects/${starred.id}`)).json()).toMatchObject({ star_count: 0 })
  // Name and addresses are free again.
  const again = { username: 'mary', name: 'M', email: 'mary@work.example', force_random_password: true }
  expect((await api.call(api.root, 'POST /users', again)).statusCode).toBe(201)
})

test('the sole owner of a group is not deleted unless the group is deleted too', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const outer = await createGroup(
    { database: api.database, secrets: testSecrets() },
    { name: 'g', path: 'g' },
    mary,
  )
  const inner = await createGroup(
    { database: api.database, secrets: testSecrets() },
    { name: 'i', path: 'i', parent_id: outer.id },
    mary,
  )
  const project = await addProject(api, mary, { name: 'app', namespace_id: inner.id })
  const refused = await api.call(api.root, `DELETE /users/${mary.id}`)
  expect([refused.statusCode, refused.json()]).toEqual([
    409,
    { message: 'User cannot be removed while is the sole-owner of a group' },
  ])
  expect((await api.call(mary, 'GET /user')).statusCode).toBe(200)
  const removed = await api.call(api.root, `DELETE /users/${mary.id}?hard_delete=true`)
  expect(removed.statusCode).toBe(204)
  expect(api.repositories.deleted).toEqual([project.id])
  expect((await api.call(api.root, `GET /groups/${outer.id}`)).statusCode).toBe(404)
})

test('a user whose registration awaits approval can be rejected', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const reject = () => api.call(api.root, `POST /users/${mary.id}/reject`)
  expect((await reject()).json()).toEqual({ message: 'User does not have a pending request' })
  const state = 'blocked_pending_approval'
  await api.database.updateTable('user').set({ state }).where('id', '=', mary.id).execute()
  expect((await reject()).json()).toEqual({ message: 'Success' })
  expect(await isThere(api.database, mary)).toBe(false)
})

describeOnDatabase('removing a user', (open) => {
  test('an interrupted deletion resumes and assigns the records to the ghost user', async () => {
    const services = await openTestServices({ open })
    const { database } = services
    const mary = await addPerson(database, 'mary')
    const root = await addPerson(database, 'root', { admin: true })
    const group = await createGroup({ database, secrets: testSecrets() }, { name: 'g', path: 'g' }, root)
    const { id } = await insertProject(database, {
      namespace_id: group.id,
      creator_id: mary.id,
      full_path: 'g/app',
    })
    const deps = accountDeps(services)
    const broken: RemovalDeps = { ...deps, cancelWork: () => Promise.reject(new Error('killed')) }
    await deleteUser(broken, mary.id)
    await finishUserDeletions(broken)
    expect(await isThere(database, mary)).toBe(true)
    await finishUserDeletions(deps)
    expect(await isThere(database, mary)).toBe(false)
    const project = await database
      .selectFrom('project')
      .innerJoin('user', 'user.id', 'project.creator_id')
      .select(['user.kind', 'user.state', 'user.username'])
      .where('project.id', '=', id)
      .executeTakeFirstOrThrow()
    expect(project).toEqual({ kind: 'ghost', state: 'blocked', username: 'ghost' })
    expect(await database.selectFrom('user_removal').selectAll().execute()).toEqual([])
  })

  testAtNight('concurrent deletions of one user succeed or return not found', async () => {
    const services = await openTestServices({ open })
    const { database } = services
    const people = await Promise.all(Array.from({ length: 30 }, (_, i) => addPerson(database, `person-${i}`)))
    const deps = accountDeps(services)
    const responses = await removedBySeveral(
      people.map(({ id }) => id),
      (id) => deleteUser(deps, id),
      () => finishUserDeletions(deps),
    )
    expect(responses).toEqual(new Set(['removed', '{"message":"404 User Not Found"}']))
    for (const person of people) expect(await isThere(database, person)).toBe(false)
  })

  testAtNight('a bot is deleted with its project', async () => {
    const services = await openTestServices({ open })
    const { database } = services
    const bot = await addPerson(database, 'bot')
    await database.updateTable('user').set({ kind: 'bot' }).where('id', '=', bot.id).execute()
    await database.insertInto('bot_user').values({ user_id: bot.id }).execute()
    await finishUserDeletions(accountDeps(services))
    expect(await isThere(database, bot)).toBe(false)
  })
})

test('every row with a user is deleted, cleared or assigned to another user', async () => {
  const { database } = await openSqlite()
  const { rows } = await sql<{ name: string; column: string; action: string }>`
    select tables.name as name, keys."from" as "column", keys.on_delete as action
    from sqlite_master as tables, pragma_foreign_key_list(tables.name) as keys
    where tables.type = 'table' and keys."table" = 'user'`.execute(database)
  const held = rows
    .filter(({ action }) => action === 'NO ACTION' || action === 'RESTRICT')
    .map(({ name, column }) => `${name}.${column}`)
  // The personal namespace is deleted first.
  const expected = [...CONTRIBUTIONS.map((names) => names.join('.')), 'namespace.owner_id']
  expect(expected).toEqual(expect.arrayContaining(held))
})

const shared = openForFile(() => Service.start())

testAtNight("a removed user's job is canceled, and the pipeline is the ghost's", async () => {
  const service = shared()
  const mary = await service.addPerson('mary')
  const project = await service.addProject()
  await service.json('POST', `/projects/${project.id}/members`, { user_id: mary.id, access_level: 40 })
  const files = { '.gitlab-ci.yml': 'build:\n  script: make\n' }
  await service.push({ ...project, owner: mary }, files, 'work')
  const runner = await service.addRunner()
  const job = await runner.takeJob()
  expect((await service.fetch('DELETE', `/users/${mary.id}`, { as: service.root })).status).toBe(204)
  expect((await runner.update(job, 'running')).headers.get('job-status')).toBe('canceled')
  const [pipeline] = await service.json<{ id: number }[]>('GET', `/projects/${project.id}/pipelines`)
  const path = `/projects/${project.id}/pipelines/${pipeline?.id}`
  expect(await service.json('GET', path)).toMatchObject({
    status: 'canceled',
    user: { username: 'ghost', name: 'Ghost User' },
  })
})

test('pipelines of a blocked user are canceled, and their pushes start none', async () => {
  const service = shared()
  const bob = await service.addPerson('bob')
  const project = await service.addProject({ '.gitlab-ci.yml': 'build:\n  script: make\n' }, bob)
  await service.json('POST', `/users/${bob.id}/block`)
  const pipelines = `/projects/${project.id}/pipelines`
  expect(await service.json('GET', pipelines)).toMatchObject([{ status: 'canceled' }])
  await expect(service.push(project, { 'a.txt': 'a' })).rejects.toThrow()
})
