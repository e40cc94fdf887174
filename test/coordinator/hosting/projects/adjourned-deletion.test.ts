import { expect, test } from 'vitest'

import { Deletions } from '../../../../src/coordinator/background/deletions.js'
import {
  deleteMarkedProjects,
  type MarkedProjectDeps,
} from '../../../../src/coordinator/hosting/projects/deletion/delete-marked-projects.js'
import {
  markForDeletion,
  restoreProject,
} from '../../../../src/coordinator/hosting/projects/deletion/mark-for-deletion.js'
import { editProject } from '../../../../src/coordinator/hosting/projects/settings/edit-project.js'
import { star } from '../../../../src/coordinator/hosting/projects/stars/stars.js'
import {
  changeProject,
  existingProject,
  hideProject,
} from '../../../../src/coordinator/hosting/projects/store.js'
import { transferProject } from '../../../../src/coordinator/hosting/projects/transfer/transfer-project.js'
import { refreshMergeRequestsFrom } from '../../../../src/coordinator/planning/merge-requests/refresh/refresh-from-project.js'
import { replaceGroupRecords } from '../../../../src/coordinator/planning/transfer/replace-group-records.js'
import { createLogger } from '../../../../src/lib/logger.js'
import { describeOnDatabase } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import {
  addMember,
  addProject,
  openPeopleApi,
  type PeopleApi,
  peopleApiForFile,
} from '../../support/people-api.js'
import { insertRunningJob, jobStatuses } from '../../support/running-job.js'
import { addPerson } from '../../support/test-app.js'

const DAY = 24 * 3600 * 1000
const TODAY = expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string
const ALREADY = { message: 'Project has been already marked for deletion' }
const NOT_MARKED = { message: 'Project has not been marked for deletion' }
const FIRST = { message: 'Project must be marked for deletion first.' }
const WRONG_PATH = {
  message: '`full_path` is incorrect. You must enter the complete path for the project.',
}

const openKeeping = peopleApiForFile({ deletionAdjournedPeriod: 7 })

/** Status and body of a response. */
async function ask(api: PeopleApi, route: string, body?: object): Promise<[number, unknown]> {
  const response = await api.call(api.root, route, body)
  return [response.statusCode, response.json()]
}

/** The project as its owner sees it. */
async function show(api: PeopleApi, id: number): Promise<Record<string, unknown>> {
  return (await api.call(api.root, `GET /projects/${id}`)).json()
}

/** A project that is marked for deletion. */
async function addMarked(api: PeopleApi, params: { name: string } & Record<string, unknown>) {
  const project = await addProject(api, api.root, params)
  expect(await ask(api, `DELETE /projects/${project.id}`)).toEqual([202, { message: '202 Accepted' }])
  return project
}

function dutyDeps({ database }: PeopleApi, removed: number[]): MarkedProjectDeps {
  return {
    database,
    logger: createLogger('test', 'silent'),
    deletions: new Deletions(createLogger('test', 'silent')),
    onJobsGone: () => undefined,
    onHidden: refreshMergeRequestsFrom,
    onProjectDeleted: async (id) => void removed.push(id),
  }
}

async function eventsOf({ database }: PeopleApi): Promise<object[]> {
  const events = await database.selectFrom('hook_event').select('facts').orderBy('id').execute()
  return events.map(({ facts }) => facts)
}

/** As one would find it that was marked so long ago. */
async function age({ database }: PeopleApi, id: number, days: number): Promise<void> {
  const marked_for_deletion_at = Date.now() - days * DAY
  await database.updateTable('project').set({ marked_for_deletion_at }).where('id', '=', id).execute()
}

describeOnDatabase('a project marked for deletion', (open) => {
  test('is marked and stays visible under another name and path', async () => {
    const api = await openKeeping(open)
    const guest = await addPerson(api.database, 'guest')
    const { id } = await addProject(api, api.root, { name: 'My App', path: 'app' })
    await addMember(api, api.root, id, guest, 10)
    await insertRunningJob(api.database, { projectId: id, userId: api.root.id })
    expect(await show(api, id)).toMatchObject({ marked_for_deletion_at: null, marked_for_deletion_on: null })
    expect(await ask(api, `DELETE /projects/${id}`)).toEqual([202, { message: '202 Accepted' }])
    expect(api.repositories.deleted).toEqual([])
    expect(await jobStatuses(api.database)).toEqual(['canceled'])
    expect((await api.call(guest, `GET /projects/${id}`)).json()).toMatchObject({
      marked_for_deletion_at: TODAY,
      marked_for_deletion_on: TODAY,
      archived: false,
      name: `My App-deletion_scheduled-${id}`,
      path: `app-deletion_scheduled-${id}`,
      path_with_namespace: `root/app-deletion_scheduled-${id}`,
      can_create_merge_request_in: false,
    })
    const moved = await api.call(api.root, 'GET /projects/root%2Fapp')
    expect([moved.statusCode, moved.headers['location']]).toEqual([
      301,
      `http://switchyard.example/api/v4/projects/${id}`,
    ])
  })

  test('leaves its name and path to others', async () => {
    const api = await openKeeping(open)
    await addMarked(api, { name: 'app' })
    const second = await addProject(api, api.root, { name: 'app' })
    expect((await api.call(api.root, 'GET /projects/root%2Fapp')).json()).toMatchObject({ id: second.id })
    expect((await ask(api, `DELETE /projects/${second.id}`))[0]).toBe(202)
    await addProject(api, api.root, { name: 'app' })
  })

  testAtNight('has a path of at most 255 characters, and its own again', async () => {
    const api = await openKeeping(open)
    const path = 'x'.repeat(255)
    const { id } = await addMarked(api, { name: path, path })
    const marked = await show(api, id)
    expect(marked['path']).toHaveLength(255)
    expect(marked['path']).toMatch(new RegExp(`x-deletion_scheduled-${id}$`))
    expect(await ask(api, `POST /projects/${id}/restore`)).toMatchObject([201, { path, name: path }])
  })

  testAtNight('is read only, and is not moved, renamed, archived or taken out of the archive', async () => {
    const api = await openKeeping(open)
    const { id } = await addMarked(api, { name: 'app' })
    const group = (await api.call(api.root, 'POST /groups', { name: 'Team', path: 'team' })).json<{
      id: number
    }>()
    for (const [route, body] of [
      [`PUT /projects/${id}`, { description: 'x' }],
      [`PUT /projects/${id}`, { path: 'other' }],
      [`PUT /projects/${id}/transfer`, { namespace: 'team' }],
      [`POST /projects/${id}/archive`],
      [`POST /projects/${id}/unarchive`],
      [`POST /projects/${id}/housekeeping`],
      [`POST /projects/${id}/variables`, { key: 'KEY', value: 'x' }],
    ] as const) {
      expect([route, ...(await ask(api, route, body))]).toEqual([route, 403, { message: '403 Forbidden' }])
    }
    expect(await ask(api, `POST /groups/${group.id}/projects/${id}`)).toEqual([
      400,
      { message: 'Failed to transfer project Project is marked for deletion.' },
    ])
    expect(await show(api, id)).toMatchObject({ marked_for_deletion_on: TODAY, archived: false })
  })

  testAtNight('is in lists, and found by the day on which it was marked', async () => {
    const api = await openKeeping(open)
    const { id } = await addMarked(api, { name: 'app' })
    await addProject(api, api.root, { name: 'other' })
    const marked = Date.parse('2020-05-07T23:59:59.999Z')
    await api.database
      .updateTable('project')
      .set({ marked_for_deletion_at: marked })
      .where('id', '=', id)
      .execute()
    const found = async (query: string) =>
      (await api.call(api.root, `GET /projects?order_by=id&sort=asc&${query}`))
        .json<{ id: number }[]>()
        .map((project) => project.id === id)
    expect(await found('')).toEqual([true, false])
    expect(await found('include_pending_delete=true')).toEqual([true, false])
    expect(await found('marked_for_deletion_on=2020-05-07')).toEqual([true])
    expect(await found('marked_for_deletion_on=2020-05-06')).toEqual([])
    expect(await found('marked_for_deletion_on=2020-05-08')).toEqual([])
    expect(await found('marked_for_deletion=true')).toEqual([true])
    expect(await found('marked_for_deletion=false')).toEqual([false])
  })

  testAtNight('is deleted permanently only by a request that names its full path', async () => {
    const api = await openKeeping(open)
    const { id } = await addProject(api, api.root, { name: 'app' })
    const route = `DELETE /projects/${id}`
    expect(await ask(api, route, { permanently_remove: true, full_path: 'root/app' })).toEqual([400, FIRST])
    expect((await ask(api, route))[0]).toBe(202)
    expect(await ask(api, route)).toEqual([400, ALREADY])
    for (const full_path of [undefined, 'root/app', 'root/other']) {
      expect(await ask(api, route, { permanently_remove: true, full_path })).toEqual([400, WRONG_PATH])
    }
    expect(api.repositories.deleted).toEqual([])
    const full_path = `root/app-deletion_scheduled-${id}`
    expect((await ask(api, route, { permanently_remove: true, full_path }))[0]).toBe(202)
    expect(api.repositories.deleted).toEqual([id])
    expect((await ask(api, `POST /projects/${id}/restore`))[0]).toBe(404)
  })

  test('is restored by its owners with its earlier name, path and settings', async () => {
    const api = await openKeeping(open)
    const max = await addPerson(api.database, 'max')
    const before = await addProject(api, api.root, { name: 'My App', path: 'app', description: 'kept' })
    const { id } = before
    await addMember(api, api.root, id, max, 40)
    await api.call(api.root, `POST /projects/${id}/archive`)
    expect(await ask(api, `POST /projects/${id}/restore`)).toEqual([400, NOT_MARKED])
    await api.call(api.root, `DELETE /projects/${id}`)
    expect((await api.call(max, `POST /projects/${id}/restore`)).statusCode).toBe(403)
    const { updated_at: _, last_activity_at: _at, ...same } = before
    const asItWas = { ...same, archived: true, can_create_merge_request_in: false }
    expect(await ask(api, `POST /projects/${id}/restore`)).toMatchObject([201, asItWas])
    expect((await api.call(api.root, 'GET /projects/root%2Fapp')).json()).toMatchObject(asItWas)
    expect(await ask(api, `POST /projects/${id}/restore`)).toEqual([400, NOT_MARKED])
  })

  test('is restored to the current path of its group', async () => {
    const api = await openKeeping(open)
    const group = (await api.call(api.root, 'POST /groups', { name: 'Team', path: 'team' })).json<{
      id: number
    }>()
    const { id } = await addMarked(api, { name: 'app', namespace_id: group.id })
    await api.call(api.root, `PUT /groups/${group.id}`, { path: 'crew' })
    expect(await ask(api, `POST /projects/${id}/restore`)).toMatchObject([
      201,
      { path_with_namespace: 'crew/app' },
    ])
  })

  testAtNight(
    'stays marked while another project has its name or path; the error names the conflict',
    async () => {
      const api = await openKeeping(open)
      const { id } = await addMarked(api, { name: 'My App', path: 'app' })
      const other = await addProject(api, api.root, { name: 'other', path: 'APP' })
      const namesake = await addProject(api, api.root, { name: 'my app', path: 'third' })
      const restore = () => ask(api, `POST /projects/${id}/restore`)
      expect(await restore()).toEqual([
        409,
        {
          message:
            'The project cannot be restored: another project or group has the path root/app and the name "My App" in root. Rename or move it, and try again',
        },
      ])
      await api.call(api.root, `PUT /projects/${other.id}`, { path: 'other' })
      expect(await restore()).toMatchObject([409, { message: expect.not.stringContaining('path') as string }])
      expect(await show(api, id)).toMatchObject({ marked_for_deletion_on: TODAY })
      await api.call(api.root, `PUT /projects/${namesake.id}`, { name: 'third' })
      expect(await restore()).toMatchObject([201, { path_with_namespace: 'root/app' }])
    },
  )

  testAtNight('is not marked while something else has the name that goes with it', async () => {
    const api = await openKeeping(open)
    const { id } = await addProject(api, api.root, { name: 'app' })
    const path = `app-deletion_scheduled-${id}`
    const other = await addProject(api, api.root, { name: path })
    expect(await ask(api, `DELETE /projects/${id}`)).toMatchObject([
      409,
      { message: expect.stringContaining(`another project or group has the path root/${path}`) as string },
    ])
    expect(await show(api, id)).toMatchObject({ path: 'app', marked_for_deletion_on: null })
    await api.call(api.root, `PUT /projects/${other.id}`, { name: 'other', path: 'other' })
    expect((await ask(api, `DELETE /projects/${id}`))[0]).toBe(202)
  })

  test('is removed when its days are over, once, and not when it was restored', async () => {
    const api = await openKeeping(open)
    const due = await addMarked(api, { name: 'due' })
    const restored = await addMarked(api, { name: 'restored' })
    const recent = await addMarked(api, { name: 'recent' })
    await addProject(api, api.root, { name: 'in use' })
    for (const { id } of [due, restored]) await age(api, id, 7)
    await age(api, recent.id, 6)
    await api.call(api.root, `POST /projects/${restored.id}/restore`)
    const removed: number[] = []
    const turn = () =>
      deleteMarkedProjects(dutyDeps(api, removed), Date.now() - 7 * DAY, new AbortController().signal)
    await Promise.all([turn(), turn()])
    expect(removed).toEqual([due.id])
    const left = await api.database.selectFrom('project').select('name').orderBy('id').execute()
    expect(left.map(({ name }) => name)).toEqual([
      'restored',
      `recent-deletion_scheduled-${recent.id}`,
      'in use',
    ])
  })

  test('is restored when its days are over and the user who marked it may not delete it any more', async () => {
    const api = await openKeeping(open)
    const max = await addPerson(api.database, 'max')
    const run = () =>
      deleteMarkedProjects(dutyDeps(api, []), Date.now() - 7 * DAY, new AbortController().signal)
    const names = ['removed', 'demoted', 'blocked', 'deleted']
    const setState = (state: 'active' | 'blocked') =>
      api.database.updateTable('user').set({ state }).where('id', '=', max.id).execute()
    const projects = []
    for (const name of [...names, 'owned']) {
      const project = await addProject(api, api.root, { name })
      await addMember(api, api.root, project.id, max, 50)
      expect((await api.call(max, `DELETE /projects/${project.id}`)).statusCode).toBe(202)
      await age(api, project.id, 8)
      projects.push(project.id)
    }
    const [removed, demoted, blocked, deleted, owned] = projects
    const onlyDue = async (id: number | undefined) => {
      await api.database
        .updateTable('project')
        .set({ marked_for_deletion_at: Date.now() })
        .where('marked_for_deletion_at', 'is not', null)
        .execute()
      if (id !== undefined) await age(api, id, 8)
      await run()
    }
    const member = () => api.database.updateTable('member').where('user_id', '=', max.id)
    await api.database
      .deleteFrom('member')
      .where('user_id', '=', max.id)
      .where('project_id', '=', removed ?? 0)
      .execute()
    await onlyDue(removed)
    await member()
      .set({ access_level: 40 })
      .where('project_id', '=', demoted ?? 0)
      .execute()
    await onlyDue(demoted)
    await setState('blocked')
    await onlyDue(blocked)
    await setState('active')
    // As the deletion of the user leaves it.
    await api.database
      .updateTable('project')
      .set({ marked_for_deletion_by_id: null })
      .where('id', '=', deleted ?? 0)
      .execute()
    await onlyDue(deleted)
    await onlyDue(owned)
    const left = await api.database
      .selectFrom('project')
      .select(['path', 'marked_for_deletion_at', 'marked_for_deletion_by_id'])
      .orderBy('id')
      .execute()
    expect(left).toEqual(
      names.map((path) => ({ path, marked_for_deletion_at: null, marked_for_deletion_by_id: null })),
    )
  })

  test('is restored when its group has left the one by which the user who marked it could delete it', async () => {
    const api = await openKeeping(open)
    const max = await addPerson(api.database, 'max')
    const addGroup = async (path: string, parent_id?: number) => {
      const created = await api.call(api.root, 'POST /groups', { name: path, path, parent_id })
      return created.json<{ id: number }>().id
    }
    const [crew, other] = [await addGroup('crew'), await addGroup('other')]
    const inner = await addGroup('inner', crew)
    await api.call(api.root, `POST /groups/${crew}/members`, { user_id: max.id, access_level: 50 })
    const { id } = await addProject(api, api.root, { name: 'app', namespace_id: inner })
    expect((await api.call(max, `DELETE /projects/${id}`)).statusCode).toBe(202)
    await age(api, id, 8)
    await api.call(api.root, `POST /groups/${inner}/transfer`, { group_id: other })
    await deleteMarkedProjects(dutyDeps(api, []), Date.now() - 7 * DAY, new AbortController().signal)
    expect(await show(api, id)).toMatchObject({
      path_with_namespace: 'other/inner/app',
      marked_for_deletion_on: null,
    })
  })

  testAtNight('is not removed when it is restored while another one is', async () => {
    const api = await openKeeping(open)
    const [first, second] = [await addMarked(api, { name: 'a' }), await addMarked(api, { name: 'b' })]
    await age(api, first.id, 9)
    await age(api, second.id, 8)
    const deps = dutyDeps(api, [])
    const restoring: MarkedProjectDeps = {
      ...deps,
      onProjectDeleted: async () => {
        await api.call(api.root, `POST /projects/${second.id}/restore`)
      },
    }
    await deleteMarkedProjects(restoring, Date.now(), new AbortController().signal)
    const left = await api.database.selectFrom('project').select('full_path').execute()
    expect(left).toEqual([{ full_path: 'root/b' }])
  })

  testAtNight('is removed with the next turn where one was cut off, and keeps no other waiting', async () => {
    const api = await openKeeping(open)
    const [first, second] = [await addMarked(api, { name: 'a' }), await addMarked(api, { name: 'b' })]
    await age(api, first.id, 9)
    await age(api, second.id, 8)
    const removed: number[] = []
    const deps = dutyDeps(api, removed)
    const failing: MarkedProjectDeps = {
      ...deps,
      onProjectDeleted: (id) =>
        id === first.id ? Promise.reject(new Error('no disk')) : deps.onProjectDeleted(id),
    }
    const stopped = AbortSignal.abort()
    await deleteMarkedProjects(failing, Date.now(), stopped)
    expect(removed).toEqual([])
    await deleteMarkedProjects(failing, Date.now(), new AbortController().signal)
    expect(removed).toEqual([second.id])
    // The files that the first has left are those of a deleted project, like any other's.
    const noted = await api.database.selectFrom('removed_project').select('project_id').execute()
    expect(noted.map(({ project_id }) => project_id)).toContain(first.id)
    expect(await api.database.selectFrom('project').select('id').execute()).toEqual([])
  })

  test('whose deletion has begun is neither restored nor marked, renamed, moved, changed or starred', async () => {
    const api = await openKeeping(open)
    const { database, root, services } = api
    await api.call(root, 'POST /groups', { name: 'Team', path: 'team' })
    const marked = await addMarked(api, { name: 'marked' })
    const { id } = await addProject(api, root, { name: 'app' })
    const project = await existingProject(database, id)
    for (const one of [marked.id, id])
      expect(await hideProject({ database, onHidden: refreshMergeRequestsFrom }, one)).toBe(true)
    const rows = () => database.selectFrom('project').selectAll().orderBy('id').execute()
    const before = await rows()
    const deps = { ...services, repositories: api.repositories, onMoved: replaceGroupRecords }
    // Requests that have found the project before its deletion began.
    for (const late of [
      () => restoreProject(database, marked),
      () => markForDeletion(database, project, root),
      () => editProject(deps, project, { path: 'other' }, { user: root, accessLevel: 50 }),
      () => transferProject(deps, project, 'team', root),
      () => changeProject(database, id, { archived: true }),
      () => star(database, id, root),
    ])
      await expect(late()).rejects.toMatchObject({ status: 404 })
    expect(await rows()).toEqual(before)
  })

  test('whose deletion has begun does not keep its group or its owner from taking another path', async () => {
    const api = await openKeeping(open)
    const path = 'a-group-with-a-long-path'
    const group = await api.call(api.root, 'POST /groups', { name: 'Team', path })
    const { id } = group.json<{ id: number }>()
    const hidden = [
      await addProject(api, api.root, { name: 'a', namespace_id: id }),
      await addProject(api, api.root, { name: 'b', namespace_id: id }),
    ]
    const deps = { database: api.database, onHidden: refreshMergeRequestsFrom }
    for (const project of hidden) await hideProject(deps, project.id)
    expect((await api.call(api.root, `PUT /groups/${id}`, { path: 'team' })).statusCode).toBe(200)
    const left = await api.database.selectFrom('project').select('full_path').orderBy('id').execute()
    expect(left).toEqual(hidden.map((project) => ({ full_path: `-deleted-${project.id}` })))
  })

  test('goes at once with its group and its owner', async () => {
    const api = await openKeeping(open)
    const mary = await addPerson(api.database, 'mary')
    const group = (await api.call(api.root, 'POST /groups', { name: 'Team', path: 'team' })).json<{
      id: number
    }>()
    const ofGroup = await addMarked(api, { name: 'app', namespace_id: group.id })
    const { id: hers } = await addProject(api, mary, { name: 'hers' })
    await api.call(mary, `DELETE /projects/${hers}`)
    await api.call(api.root, `DELETE /groups/${group.id}`)
    await api.call(api.root, `DELETE /users/${mary.id}`)
    expect(api.repositories.deleted).toEqual([ofGroup.id, hers])
  })

  testAtNight('is reported to system hooks and in the audit events', async () => {
    const api = await openKeeping(open)
    const { id } = await addProject(api, api.root, { name: 'app' })
    await api.call(api.root, 'POST /hooks', { url: 'http://receiver.example' })
    await api.call(api.root, `DELETE /projects/${id}`)
    await api.call(api.root, `POST /projects/${id}/restore`)
    const marked = `root/app-deletion_scheduled-${id}`
    expect(await eventsOf(api)).toMatchObject([
      { event_name: 'project_rename', path_with_namespace: marked, old_path_with_namespace: 'root/app' },
      { event_name: 'project_rename', path_with_namespace: 'root/app', old_path_with_namespace: marked },
    ])
    const events = await api.database
      .selectFrom('audit_event')
      .select('details')
      .where('entity_type', '=', 'Project')
      .where('entity_id', '=', id)
      .orderBy('id')
      .execute()
    const told = events.map(({ details }) => details)
    expect(told.slice(-2)).toMatchObject([
      { change: 'project', custom_message: 'Mark a project for deletion', target_id: id },
      { change: 'path_with_namespace', from: marked, to: 'root/app', target_id: id },
    ])
  })
})

testAtNight('a marked project is deleted immediately when delayed deletion is disabled', async () => {
  const api = await openPeopleApi()
  const { id } = await addProject(api, api.root, { name: 'app' })
  await age(api, id, 1)
  expect((await ask(api, `DELETE /projects/${id}`))[0]).toBe(202)
  expect(api.repositories.deleted).toEqual([id])
})
