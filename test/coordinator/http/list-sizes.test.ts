import { expect, test } from 'vitest'

import { countStatuses, listStatuses } from '../../../src/coordinator/ci/commit-statuses/store.js'
import { listRunners, runnersMaintainedBy } from '../../../src/coordinator/ci/runners/runner-lists.js'
import type { Database } from '../../../src/coordinator/database/connect.js'
import type { ProjectRow, UserRow } from '../../../src/coordinator/database/tables/pipeline-rows.js'
import { listProjects } from '../../../src/coordinator/hosting/projects/record/list-projects.js'
import { listGroupReleases } from '../../../src/coordinator/hosting/releases/group-releases.js'
import type { Paging } from '../../../src/coordinator/http/page.js'
import { FIRST_PAGE } from '../../../src/coordinator/http/paging/paging.js'
import { copyRow, FIRST_ID } from '../../bench/list-rows.mjs'
import { describeOnDatabase } from '../../support/databases.js'
import { addProject, addRunner, addUser } from '../ci/engine/support/records.js'
import { insertRunningJob } from '../support/running-job.js'

/** `count` more projects like this one, from `FIRST_ID` on; every other one is public. */
async function copyProject(database: Database, { id }: ProjectRow, count: number): Promise<void> {
  await copyRow(database, 'project', { id: String(id) }, count, {
    name: `'p' || i`,
    path: `'p' || i`,
    full_path: `'p' || i`,
    runners_token_digest: `'p' || i`,
    created_at: 'original.created_at + 1 + i',
    visibility: `case i % 2 when 0 then 'private' else 'public' end`,
  })
}

/** Makes the user an owner of the group of the project. */
async function own(database: Database, user: UserRow, { namespace_id }: ProjectRow): Promise<void> {
  await database
    .insertInto('member')
    .values({ group_id: namespace_id, user_id: user.id, access_level: 50, created_at: 0 })
    .execute()
}

const page = (perPage: number, offset: number): Paging => ({ ...FIRST_PAGE, perPage, offset })

describeOnDatabase('a list with few or many entries', (open) => {
  test('has each runner of the projects that one maintains once', async () => {
    const { database } = await open()
    const user = await addUser(database)
    const [one, two] = [await addProject(database, user, { group: 'mine' }), await addProject(database, user)]
    await own(database, user, one)
    await own(database, user, two)
    const foreign = await addProject(database, await addUser(database))
    const type = 'project_type'
    const first = await addRunner(database, { type, projects: [one] })
    const shared = await addRunner(database, { type, projects: [foreign, one, two], active: false })
    await addRunner(database, { type, projects: [foreign] })
    const last = await addRunner(database, { group: 'mine' })
    const shown = async (paging: Paging, paused?: boolean) => {
      const parts = await runnersMaintainedBy(database, user)
      const { rows, total } = await listRunners(database, parts, { paused }, paging)
      return { ids: rows.map(({ id }) => id), total }
    }
    const expectAll = async () => {
      expect(await shown(page(20, 0))).toEqual({ ids: [last.id, shared.id, first.id], total: 3 })
      expect(await shown(page(1, 1))).toEqual({ ids: [shared.id], total: 3 })
      expect(await shown(page(1, 0), true)).toEqual({ ids: [shared.id], total: 1 })
    }
    await expectAll()
    await copyProject(database, one, 1000)
    await expectAll()
    await database.deleteFrom('member').execute()
    expect(await shown(page(20, 0))).toEqual({ ids: [], total: 0 })
  })

  test('has the starred projects that the viewer may see, newest first', async () => {
    const { database } = await open()
    const user = await addUser(database)
    const original = await addProject(database, user)
    await copyProject(database, original, 20_100)
    const star = (from: number) =>
      database
        .insertInto('project_star')
        .columns(['user_id', 'project_id', 'created_at'])
        .expression(({ selectFrom, val }) =>
          selectFrom('project')
            .select([val(user.id).as('user_id'), 'id', 'created_at'])
            .where('id', '>=', from)
            .where('id', '<', FIRST_ID + 20_090)
            .where('id', 'not in', selectFrom('project_star').select('project_id')),
        )
        .execute()
    const shown = async () => {
      const { rows, total } = await listProjects(database, { starredBy: user.id }, undefined, page(2, 0))
      return { ids: rows.map(({ id }) => id), total }
    }
    const newest = [FIRST_ID + 20_089, FIRST_ID + 20_087]
    await star(FIRST_ID + 20_080)
    expect(await shown()).toEqual({ ids: newest, total: 5 })
    await star(FIRST_ID)
    expect(await shown()).toEqual({ ids: newest, total: 10_001 })
  })

  test('has the releases of a group that the viewer may read, in the order of their dates', async () => {
    const { database } = await open()
    const user = await addUser(database)
    const [project, hidden] = [
      await addProject(database, user, { group: 'g' }),
      await addProject(database, user),
    ]
    await own(database, user, project)
    const secret = await addProject(database, user, { group: 'g' })
    await database.updateTable('project').set({ visibility: 'public' }).where('id', '<>', secret.id).execute()
    const times = { created_at: 0, updated_at: 0 }
    const release = (project_id: number, released_at: number) =>
      database
        .insertInto('release')
        .values({ project_id, tag: `v${released_at}`, name: 'v', sha: 'a', released_at, ...times })
        .execute()
    for (const [{ id }, time] of [
      [project, 10],
      [hidden, 20_002],
      [secret, 20_001],
    ] as const) {
      await release(id, time)
    }
    const group = { id: project.namespace_id }
    const shown = async (viewer: UserRow | undefined, sort: 'asc' | 'desc', paging: Paging) => {
      const { rows, total } = await listGroupReleases(database, group, viewer, { sort }, paging)
      return { dates: rows.map(({ row }) => row.released_at), total }
    }
    expect(await shown(user, 'desc', page(2, 0))).toEqual({ dates: [20_001, 10], total: 2 })
    expect(await shown(undefined, 'desc', page(2, 0))).toEqual({ dates: [10], total: 1 })
    await copyRow(database, 'release', { project_id: String(project.id) }, 10_002, {
      tag: `'r' || i`,
      released_at: '11 + i',
    })
    expect(await shown(user, 'desc', page(2, 0))).toEqual({ dates: [20_001, 10_012], total: 10_001 })
    expect(await shown(undefined, 'desc', page(2, 1))).toEqual({ dates: [10_011, 10_010], total: 10_001 })
    expect(await shown(undefined, 'asc', page(2, 0))).toEqual({ dates: [10, 11], total: 10_001 })
    expect(await shown(undefined, 'asc', page(2, 10_001))).toEqual({ dates: [10_011, 10_012], total: 10_001 })
  })

  test('has the external statuses of one commit only', async () => {
    const { database } = await open()
    const user = await addUser(database)
    const project = await addProject(database, user)
    await insertRunningJob(database, { projectId: project.id, userId: user.id })
    const job = await database.selectFrom('job').selectAll().executeTakeFirstOrThrow()
    const { sha } = await database.selectFrom('pipeline').select('sha').executeTakeFirstOrThrow()
    const { pipeline_id, stage_id, ref } = job
    const report = { project_id: project.id, pipeline_id, stage_id, ref, user_id: user.id, name: 'other' }
    await database
      .insertInto('commit_status')
      .values({ ...report, id: FIRST_ID - 1, status: 'success', created_at: 0, updated_at: 0 })
      .execute()
    const expectBoth = async () => {
      const members = await listStatuses(database, project.id, { sha }, FIRST_PAGE)
      expect(members.map(({ row }) => row.id)).toEqual([job.id, FIRST_ID - 1])
      expect(await countStatuses(database, project.id, { sha })).toBe(2)
    }
    await expectBoth()
    const pipeline = { id: String(pipeline_id) }
    await copyRow(database, 'pipeline', pipeline, 1, { iid: '2', sha: `'${'b'.repeat(40)}'` })
    await copyRow(database, 'commit_status', { name: `'other'` }, 1000, { pipeline_id: String(FIRST_ID) })
    await expectBoth()
  })
})
