import { expect, test } from 'vitest'

import {
  describeAttention,
  summarizePipelines,
} from '../../../../../src/coordinator/ci/pipelines/everywhere/describe.js'
import {
  type EverywhereSelection,
  listEverywhere,
} from '../../../../../src/coordinator/ci/pipelines/everywhere/list-everywhere.js'
import { findGroupId } from '../../../../../src/coordinator/ci/pipelines/everywhere/store.js'
import type { Database } from '../../../../../src/coordinator/database/connect.js'
import type {
  PipelineRow,
  ProjectRow,
  UserRow,
} from '../../../../../src/coordinator/database/tables/pipeline-rows.js'
import type { Paging } from '../../../../../src/coordinator/http/page.js'
import { FIRST_PAGE } from '../../../../../src/coordinator/http/paging/paging.js'
import { copyRow } from '../../../../bench/list-rows.mjs'
import { describeOnDatabase, describeOnEachDatabase } from '../../../../support/databases.js'
import { testAtNight } from '../../../../support/nightly.js'
import { fail, openEngine, pipelineOf, takeJob, type TestEngine } from '../../engine/support/engine.js'
import { addProject, addUser } from '../../engine/support/records.js'

const FILE = 'a: { script: x }'
const HOUR = 3_600_000

async function addMember(database: Database, project: ProjectRow, access_level: number): Promise<UserRow> {
  const user = await addUser(database)
  await join(database, user, project, access_level)
  return user
}

async function join(
  database: Database,
  user: UserRow,
  project: ProjectRow,
  access_level: number,
): Promise<void> {
  await database
    .insertInto('member')
    .values({ project_id: project.id, user_id: user.id, access_level, created_at: 0 })
    .execute()
}

async function setPipeline(
  { deps: { database } }: TestEngine,
  { id }: PipelineRow,
  changes: Partial<Pick<PipelineRow, 'status' | 'finished_at' | 'created_at' | 'user_id' | 'source'>>,
): Promise<void> {
  await database.updateTable('pipeline').set(changes).where('id', '=', id).execute()
}

async function idsOf(
  engine: TestEngine,
  viewer: UserRow,
  selection: EverywhereSelection = {},
  paging: Paging = FIRST_PAGE,
): Promise<number[]> {
  return (await listEverywhere(engine.deps.database, viewer, selection, paging)).map(({ id }) => id)
}

describeOnEachDatabase('the pipelines of all projects', (open, testOnOne) => {
  test('are found by words of branch, name and user, in projects that the user may read', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    const hidden = await addProject(database, engine.user)
    const viewer = await addMember(database, engine.project, 20)
    const named = await pipelineOf(engine, `workflow: { name: Nightly }\n${FILE}`, { ref: 'main' })
    const login = await pipelineOf(engine, FILE, { ref: 'feature/login' })
    await pipelineOf(engine, FILE, { ref: 'login', project: hidden })
    const find = (words: string[]) => idsOf(engine, viewer, { words })
    expect(await find(['LOG'])).toEqual([login.id])
    expect(await find(['night', 'main'])).toEqual([named.id])
    expect(await find(['night', 'login'])).toEqual([])
    expect(await find([engine.user.username.slice(1)])).toEqual([login.id, named.id])
    expect(await find([`#${named.id}`])).toEqual([named.id])
  })

  testOnOne('are those that the user may read, newest first', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    const [mine, open_] = [engine.project, await addProject(database, engine.user)]
    const hidden = await addProject(database, engine.user)
    await database.updateTable('project').set({ visibility: 'public' }).where('id', '=', open_.id).execute()
    const viewer = await addMember(database, mine, 20)
    const first = await pipelineOf(engine, FILE)
    const second = await pipelineOf(engine, FILE, { project: open_, user: viewer })
    const third = await pipelineOf(engine, FILE, { project: hidden })
    const child = await pipelineOf(engine, FILE)
    await setPipeline(engine, child, { source: 'parent_pipeline' })
    const admin = { ...engine.user, is_admin: true }
    const stranger = await addUser(database)
    expect(await idsOf(engine, viewer)).toEqual([second.id, first.id])
    expect(await idsOf(engine, admin)).toEqual([third.id, second.id, first.id])
    expect(await idsOf(engine, stranger)).toEqual([second.id])
    expect(await idsOf(engine, viewer, { membership: true })).toEqual([first.id])
    expect(await idsOf(engine, viewer, { mine: true })).toEqual([second.id])
    expect(await idsOf(engine, viewer, { source: 'parent_pipeline' })).toEqual([child.id])
    expect(await idsOf(engine, viewer, { ref: 'other' })).toEqual([])
  })

  testAtNight('are in a scope by their status and the time of their end', async () => {
    const engine = await openEngine(open)
    const viewer = { ...engine.user, is_admin: true }
    const add = async (status: PipelineRow['status'], finished_at: number | null = null) => {
      const pipeline = await pipelineOf(engine, FILE)
      await setPipeline(engine, pipeline, { status, finished_at })
      return pipeline.id
    }
    const now = Date.now()
    const old = await add('success', now - 2 * HOUR)
    const recent = await add('failed', now - HOUR / 2)
    const running = await add('running')
    const pending = await add('pending')
    const manual = await add('manual')
    const skipped = await add('skipped')
    const inScope = (...scope: NonNullable<EverywhereSelection['scope']>) => idsOf(engine, viewer, { scope })
    expect(await inScope('running')).toEqual([pending, running])
    expect(await inScope('pending')).toEqual([pending])
    expect(await inScope('recent')).toEqual([recent])
    expect(await inScope('running', 'recent')).toEqual([pending, running, recent])
    expect(await inScope('finished')).toEqual([skipped, recent, old])
    expect(await inScope('finished', 'running')).toEqual([skipped, pending, running, recent, old])
    expect(await idsOf(engine, viewer, { scope: ['running'], mine: true })).toEqual([pending, running])
    expect(await idsOf(engine, viewer, { status: ['manual', 'failed'] })).toEqual([manual, recent])
  })

  testOnOne('of a group are those of its subgroups too', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    const above = await addProject(database, engine.user, { group: 'top' })
    const below = await addProject(database, engine.user, { group: 'top/sub' })
    const viewer = await addMember(database, above, 30)
    await join(database, viewer, below, 30)
    await pipelineOf(engine, FILE)
    const one = await pipelineOf(engine, FILE, { project: above })
    const two = await pipelineOf(engine, FILE, { project: below })
    expect(await idsOf(engine, viewer, { groupId: above.namespace_id })).toEqual([two.id, one.id])
    expect(await idsOf(engine, viewer, { groupId: below.namespace_id })).toEqual([two.id])
    expect(await findGroupId(database, viewer, 'Top/sub')).toBe(undefined)
    const admin = { ...viewer, is_admin: true }
    expect(await findGroupId(database, admin, 'Top/sub')).toBe(below.namespace_id)
    expect(await findGroupId(database, admin, String(above.namespace_id))).toBe(above.namespace_id)
  })

  test('are found page by page when newer ones hide them', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    const other = await addProject(database, engine.user)
    const viewer = await addMember(database, engine.project, 30)
    const mine: number[] = []
    for (let count = 0; count < 3; count++) mine.unshift((await pipelineOf(engine, FILE)).id)
    const hidden = await pipelineOf(engine, FILE, { project: other })
    await copyRow(database, 'pipeline', { id: String(hidden.id) }, 1500, { iid: '1000 + i' })
    const page = (after: number | undefined): Paging => ({
      ...FIRST_PAGE,
      perPage: 2,
      keyset: { column: 'id', direction: 'desc', after: after === undefined ? undefined : { id: after } },
    })
    expect(await idsOf(engine, viewer, {}, page(undefined))).toEqual(mine.slice(0, 2))
    expect(await idsOf(engine, viewer, {}, page(mine[1]))).toEqual(mine.slice(2))
    expect(await idsOf(engine, viewer, { status: ['failed'] }, page(undefined))).toEqual([])
    expect(await idsOf(engine, viewer, {}, { ...FIRST_PAGE, perPage: 2, page: 2, offset: 2 })).toEqual(
      mine.slice(2),
    )
    expect(await idsOf(engine, viewer, {}, { ...FIRST_PAGE, offset: 1000 })).toEqual([])
    const admin = { ...viewer, is_admin: true }
    expect(await idsOf(engine, admin, { scope: ['running'], mine: true })).toEqual([])
    expect((await idsOf(engine, admin, { scope: ['running'] })).length).toBe(20)
  })
})

describeOnDatabase('what waits for a user', (open) => {
  const MANUAL = `
work: { script: x, allow_failure: true }
deploy: { script: x, when: manual, manual_confirmation: Sure?, environment: { name: production, on_stop: stop } }
stop: { script: x, when: manual, environment: { name: production, action: stop } }
`

  async function attention(engine: TestEngine, viewer: UserRow) {
    const { database, repositories } = engine.deps
    return describeAttention({ database, repositories, externalUrl: 'http://ci' }, viewer)
  }

  test('are the manual jobs of current pipelines that the user may start', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    const developer = await addMember(database, engine.project, 30)
    const outdated = await pipelineOf(engine, MANUAL, { user: developer })
    const current = await pipelineOf(engine, MANUAL, { user: developer })
    const ofOther = await pipelineOf(engine, MANUAL, { ref: 'topic' })
    const old = await pipelineOf(engine, MANUAL, { ref: 'old', user: developer })
    await setPipeline(engine, old, { created_at: Date.now() - 31 * 24 * HOUR })
    expect(outdated.id).toBeLessThan(current.id)
    expect((await attention(engine, developer)).manual_jobs).toMatchObject([
      {
        name: 'deploy',
        stage: 'test',
        environment: 'production',
        manual_confirmation: 'Sure?',
        pipeline: { id: current.id, iid: current.iid, ref: 'main', name: null },
        project: { id: engine.project.id, path_with_namespace: engine.project.full_path },
      },
    ])
    await setPipeline(engine, ofOther, { user_id: developer.id })
    expect((await attention(engine, developer)).manual_jobs).toHaveLength(2)
    await database.updateTable('member').set({ access_level: 20 }).execute()
    expect((await attention(engine, developer)).manual_jobs).toEqual([])
  })

  test('are the schedules that were deactivated with a reason', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    const owner = await addMember(database, engine.project, 20)
    const schedule = (
      description: string,
      active: boolean,
      last_failure: string | null,
      owner_id = owner.id,
    ) => ({
      project_id: engine.project.id,
      owner_id,
      description,
      ref: 'refs/heads/main',
      cron: '0 4 * * *',
      cron_timezone: 'UTC',
      active,
      last_failure,
      created_at: 0,
      updated_at: 0,
    })
    const rows = [
      schedule('off', false, 'May not run it'),
      schedule('missed', true, 'No such branch'),
      schedule('switched off', false, null),
      schedule('of other', false, 'May not run it', engine.user.id),
    ]
    await database.insertInto('pipeline_schedule').values(rows).execute()
    expect((await attention(engine, owner)).schedules).toMatchObject([
      { description: 'off', last_failure: 'May not run it', project: { id: engine.project.id } },
    ])
    await database.deleteFrom('member').execute()
    expect((await attention(engine, owner)).schedules).toEqual([])
  })

  testAtNight('are failed pipelines of default branches, until there is a newer one', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    const user = await addMember(database, engine.project, 30)
    const failed = await pipelineOf(engine, FILE, { user })
    await fail(engine, await takeJob(engine, 'a'))
    await pipelineOf(engine, FILE, { user, ref: 'topic' })
    await fail(engine, await takeJob(engine, 'a'))
    expect((await attention(engine, user)).failed_pipelines).toMatchObject([
      {
        id: failed.id,
        status: 'failed',
        stages: [{ name: 'test', counts: { failed: 1 } }],
        project: { path_with_namespace: engine.project.full_path },
      },
    ])
    await pipelineOf(engine, FILE)
    expect((await attention(engine, user)).failed_pipelines).toEqual([])
  })
})

describeOnEachDatabase('the summaries of projects', (open) => {
  test('have the last pipelines of the default branch, for those who may read them', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    const [project, other, empty] = [
      engine.project,
      await addProject(database, engine.user),
      await addProject(database, engine.user),
    ]
    await database.updateTable('project').set({ default_branch: null }).where('id', '=', empty.id).execute()
    const ids: number[] = []
    for (let count = 0; count < 3; count++) ids.push((await pipelineOf(engine, FILE)).id)
    await pipelineOf(engine, FILE, { ref: 'topic' })
    await pipelineOf(engine, FILE, { ref: 'main', refType: 'tag' })
    await database
      .updateTable('pipeline')
      .set({ status: 'success', duration: 7 })
      .where('id', '=', ids[0]!)
      .execute()
    await database.updateTable('pipeline').set({ status: 'manual' }).where('id', '=', ids[2]!).execute()
    const last = await pipelineOf(engine, FILE, { project: other })
    const viewer = await addMember(database, project, 30)
    await join(database, viewer, empty, 30)
    const deps = { database, externalUrl: 'http://ci' }
    const wanted = [empty.id, other.id, project.id, 123_456]
    expect(await summarizePipelines(deps, viewer, wanted)).toMatchObject([
      { project_id: empty.id, last_pipeline: null, pipelines: [], running: 0 },
      {
        project_id: project.id,
        last_pipeline: {
          id: ids[2],
          status: 'manual',
          web_url: `http://ci/${project.full_path}/-/pipelines/${ids[2]}`,
        },
        pipelines: [
          { id: ids[0], status: 'success', duration: 7 },
          { id: ids[1], status: 'pending', duration: null },
          { id: ids[2], status: 'manual', duration: null },
        ],
        running: 3,
      },
    ])
    expect(await summarizePipelines(deps, undefined, wanted)).toEqual([])
    const admin = { ...engine.user, is_admin: true }
    expect(await summarizePipelines(deps, admin, [other.id])).toMatchObject([
      { last_pipeline: { id: last.id } },
    ])
    await copyRow(database, 'pipeline', { id: String(last.id) }, 25, { iid: '1000 + i' })
    const [summary] = await summarizePipelines(deps, admin, [other.id])
    expect(summary?.pipelines.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, i) => 1005 + i))
  })
})
