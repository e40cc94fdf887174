import { expect, test } from 'vitest'

import { loadRunnerProfile } from '../../../../src/coordinator/ci/queue/runner-profile.js'
import { describeOnEachDatabase } from '../../../support/databases.js'
import { openEngine, pipelineOf } from '../engine/support/engine.js'
import { addProject, addRunner, protectBranch } from '../engine/support/records.js'

describeOnEachDatabase('the partitions of the queue', (open) => {
  test('are one for each project, set of tags and protection, each with its oldest job in front', async () => {
    const engine = await openEngine(open)
    const { database, queue } = engine.deps
    const other = await addProject(database, engine.user)
    await protectBranch(database, engine.project.id, 'main')
    const file = ['a', 'b']
      .map((name) => `${name}: { script: x }\n${name}t: { script: x, tags: [t, u] }`)
      .join('\n')
    const pipelines = [
      await pipelineOf(engine, file, { ref: 'main' }),
      await pipelineOf(engine, file, { ref: 'topic' }),
      await pipelineOf(engine, file, { project: other }),
    ]
    const heads = await database
      .selectFrom('job')
      .select('id')
      .where(
        'pipeline_id',
        'in',
        pipelines.map((pipeline) => pipeline.id),
      )
      .where('name', 'in', ['a', 'at'])
      .orderBy('id')
      .execute()
    const headsFor = async (...traits: Parameters<typeof addRunner>[1][]): Promise<number[]> => {
      const profile = await loadRunnerProfile(database, await addRunner(database, traits[0]))
      return (await queue.partitionsFor(profile)).map((partition) => partition.job_id).sort((a, b) => a - b)
    }

    const all = heads.map(({ id }) => id)
    expect(await headsFor({ tags: ['u', 't'] })).toEqual(all)
    expect(
      await headsFor({ type: 'project_type', tags: ['u', 't'], projects: [other, engine.project] }),
    ).toEqual(all)
    expect(await headsFor({ type: 'project_type', tags: ['t', 'u'], projects: [other] })).toEqual(
      all.slice(4),
    )
    expect(await headsFor({})).toEqual(all.filter((_, index) => index % 2 === 0))
  })
})
