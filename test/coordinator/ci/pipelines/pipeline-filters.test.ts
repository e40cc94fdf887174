import { expect, test } from 'vitest'

import { ACCESS_LEVELS } from '../../../../src/coordinator/access/access-levels.js'
import { listEverywhere } from '../../../../src/coordinator/ci/pipelines/everywhere/list-everywhere.js'
import { listPipelines, type PipelineSelection } from '../../../../src/coordinator/ci/pipelines/store.js'
import { FIRST_PAGE } from '../../../../src/coordinator/http/paging/paging.js'
import { chunks } from '../../../../src/lib/chunks.js'
import { describeOnEachDatabase } from '../../../support/databases.js'
import { openForFile } from '../../../support/lifetime.js'
import { testAtNight } from '../../../support/nightly.js'
import { addPerson } from '../../support/test-app.js'
import { openEngine, pipelineOf } from '../engine/support/engine.js'
import { addProject } from '../engine/support/records.js'

const FILE = 'a: { script: x }'

describeOnEachDatabase('a list of pipelines', (open) => {
  const scene = openForFile(async () => {
    const engine = await openEngine(open)
    const empty = await addProject(engine.deps.database, engine.user)
    for (const ref of ['main', 'topic', 'main']) await pipelineOf(engine, FILE, { ref })
    await pipelineOf(engine, FILE, { ref: 'v1', refType: 'tag' })
    return { engine, empty }
  })

  async function refsOf(projectId: number, selection: PipelineSelection, perPage = 20) {
    const { rows, total } = await listPipelines(scene().engine.deps.database, projectId, selection, {
      ...FIRST_PAGE,
      perPage,
    })
    return [rows.map(({ ref }) => ref), total]
  }

  test.each([
    [{}, ['v1', 'main', 'topic', 'main']],
    [{ scope: 'branches' }, ['main', 'topic']],
    [{ scope: 'tags' }, ['v1']],
    [{ scope: 'branches', on: { ref: 'topic', tag: false } }, ['topic']],
    [{ username: 'nobody' }, []],
    [{ name: 'Nobody', scope: 'branches' }, []],
  ] as [PipelineSelection, string[]][])('has those that match %j', async (selection, refs) => {
    const { engine } = scene()
    expect(await refsOf(engine.project.id, selection)).toEqual([refs, refs.length])
  })

  test('counts the latest of all branches, also if a page has only some of them', async () => {
    expect(await refsOf(scene().engine.project.id, { scope: 'branches' }, 1)).toEqual([['main'], 2])
  })

  testAtNight('has the latest of each branch, however many there are', async () => {
    const { engine } = scene()
    const { database } = engine.deps
    const { id } = await addProject(database, engine.user)
    const original = await database.selectFrom('pipeline').selectAll().limit(1).executeTakeFirstOrThrow()
    const { id: _id, warnings: _warnings, ...kept } = original
    const rows = Array.from({ length: 10_002 }, (_, iid) => ({
      ...kept,
      project_id: id,
      iid,
      tag: false,
      ref: `b${iid === 0 ? 10_001 : iid}`,
    }))
    for (const some of chunks(rows, 500)) await database.insertInto('pipeline').values(some).execute()
    const newest = () => refsOf(id, { scope: 'branches' }, 2)
    expect(await newest()).toEqual([['b10001', 'b10000'], 10_001])
    await database.deleteFrom('pipeline').where('project_id', '=', id).where('ref', '=', 'b10000').execute()
    expect(await newest()).toEqual([['b10001', 'b9999'], 10_000])
  })

  test('of a project without any is empty, whatever its filter', async () => {
    for (const scope of ['branches', 'tags', 'running', undefined] as const)
      expect(await refsOf(scene().empty.id, { scope })).toEqual([[], 0])
  })

  test('of all projects of a member has those of these alone', async () => {
    const { engine } = scene()
    const { database } = engine.deps
    const stranger = await addPerson(database, 'stranger')
    const refs = async () =>
      (await listEverywhere(database, stranger, { membership: true }, FIRST_PAGE)).map(({ ref }) => ref)
    expect(await refs()).toEqual([])
    const member = {
      project_id: engine.project.id,
      user_id: stranger.id,
      access_level: ACCESS_LEVELS.developer,
    }
    await database
      .insertInto('member')
      .values({ ...member, created_at: 0 })
      .execute()
    expect(await refs()).toEqual(['v1', 'main', 'topic', 'main'])
  })
})
