import { expect, test } from 'vitest'

import { findSubgroupStatuses } from '../../../../../src/coordinator/ci/pipelines/everywhere/subgroup-statuses.js'
import type { PipelineRow, ProjectRow } from '../../../../../src/coordinator/database/tables/pipeline-rows.js'
import { describeOnEachDatabase } from '../../../../support/databases.js'
import { openEngine, pipelineOf, type TestEngine } from '../../engine/support/engine.js'
import { addProject, addUser } from '../../engine/support/records.js'

/** `top` with the subgroup `top/a`, which has `top/a/b` inside. */
async function openTree(open: Parameters<typeof openEngine>[0]) {
  const engine = await openEngine(open)
  const { database } = engine.deps
  const inA = await addProject(database, engine.user, { group: 'top/a' })
  const inB = await addProject(database, engine.user, { group: 'top/a/b' })
  const inTop = await addProject(database, engine.user, { group: 'top' })
  const idOf = (project: ProjectRow) => project.namespace_id
  const [top, a, b] = [idOf(inTop), idOf(inA), idOf(inB)]
  return { engine, database, inA, inB, inTop, top, a, b }
}

async function addPipeline(
  engine: TestEngine,
  project: ProjectRow,
  status: PipelineRow['status'],
  changes: Partial<Pick<PipelineRow, 'ref' | 'source'>> = {},
): Promise<void> {
  const { id } = await pipelineOf(engine, 'a: { script: x }', { project })
  await engine.deps.database
    .updateTable('pipeline')
    .set({ status, ...changes })
    .where('id', '=', id)
    .execute()
}

describeOnEachDatabase('the statuses of subgroups', (open, testOnOne) => {
  test('are those of the last pipelines of the default branches, of all projects below', async () => {
    const { engine, database, inA, inB, inTop, top, a, b } = await openTree(open)
    const admin = { ...engine.user, is_admin: true }
    await addPipeline(engine, inA, 'success')
    await addPipeline(engine, inA, 'failed')
    await addPipeline(engine, inA, 'success', { ref: 'other' })
    await addPipeline(engine, inA, 'success', { source: 'parent_pipeline' })
    await addPipeline(engine, inB, 'success')
    await addPipeline(engine, inTop, 'running')
    expect(await findSubgroupStatuses(database, admin, top)).toEqual({
      subgroups: [{ group_id: a, statuses: { failed: 1, success: 1 } }],
      truncated: false,
    })
    expect((await findSubgroupStatuses(database, admin, a)).subgroups).toEqual([
      { group_id: b, statuses: { success: 1 } },
    ])
    expect((await findSubgroupStatuses(database, admin, b)).subgroups).toEqual([])
  })

  testOnOne('leave out projects whose pipelines the user may not read, and archived ones', async () => {
    const { engine, database, inA, inB, top, a } = await openTree(open)
    const stranger = await addUser(database)
    await addPipeline(engine, inA, 'success')
    await addPipeline(engine, inB, 'failed')
    expect((await findSubgroupStatuses(database, stranger, top)).subgroups).toEqual([])
    expect((await findSubgroupStatuses(database, undefined, top)).subgroups).toEqual([])
    await database.updateTable('project').set({ visibility: 'public' }).where('id', '=', inA.id).execute()
    expect((await findSubgroupStatuses(database, undefined, top)).subgroups).toEqual([
      { group_id: a, statuses: { success: 1 } },
    ])
    await database.updateTable('project').set({ archived: true }).where('id', '=', inA.id).execute()
    expect((await findSubgroupStatuses(database, undefined, top)).subgroups).toEqual([])
  })
})
