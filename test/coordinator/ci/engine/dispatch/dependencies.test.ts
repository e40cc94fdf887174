import { expect, test } from 'vitest'

import { dependenciesOf } from '../../../../../src/coordinator/ci/engine/dispatch/dependencies.js'
import { describeOnDatabase } from '../../../../support/databases.js'
import { insertArtifact } from '../../../support/insert-artifact.js'
import { addLibrary, onlyDownstream, runBridgeTasks, withProjects } from '../support/downstream.js'
import { jobNamed, nextJob, openEngine, pipelineOf, succeed, takeJob } from '../support/engine.js'

const PARENT = (trigger: string) => `
stages: [make, start]
make: { stage: make, script: x, artifacts: { paths: [a] } }
late: { stage: start, script: x, needs: [] , when: manual }
child:
  stage: start
  variables: { PARENT_PIPELINE_ID: $CI_PIPELINE_ID, NAME: make }
  trigger: ${trigger}
`
const child = (need: string) => `use: { script: x, needs: [${need}] }`

/** `undefined`: the job fails because it is missing. */
const CASES: [name: string, trigger: string, need: string, fetched: string[] | undefined][] = [
  ['its parent', '{ include: child.yml }', '{ pipeline: $PARENT_PIPELINE_ID, job: make }', ['make']],
  [
    'its parent by the upstream',
    '{ include: child.yml }',
    '{ pipeline: $CI_UPSTREAM_PIPELINE_ID, job: $NAME }',
    ['make'],
  ],
  [
    'its parent without files',
    '{ include: child.yml }',
    '{ pipeline: $PARENT_PIPELINE_ID, job: make, artifacts: false }',
    [],
  ],
  [
    'a job that has not succeeded',
    '{ include: child.yml }',
    '{ pipeline: $PARENT_PIPELINE_ID, job: late }',
    undefined,
  ],
  [
    'a job that is not there',
    '{ include: child.yml }',
    '{ pipeline: $PARENT_PIPELINE_ID, job: nobody }',
    undefined,
  ],
  [
    'a job that is not there and is optional',
    '{ include: child.yml }',
    '{ pipeline: $PARENT_PIPELINE_ID, job: nobody, optional: true }',
    [],
  ],
  ['a pipeline that is no number', '{ include: child.yml }', '{ pipeline: $NOTHING, job: make }', undefined],
  ['its own pipeline', '{ include: child.yml }', '{ pipeline: $CI_PIPELINE_ID, job: make }', undefined],
  ['another project', 'lib/lib', '{ pipeline: $PARENT_PIPELINE_ID, job: make }', undefined],
]

describeOnDatabase('needs:pipeline:job', (open) => {
  test.each(CASES)('of %s', async (_name, trigger, need, fetched) => {
    const engine = await openEngine(open)
    engine.repositories.files.set('child.yml', child(need))
    await addLibrary(engine, child(need))
    withProjects(engine)
    const pipeline = await pipelineOf(engine, PARENT(trigger))
    const made = await takeJob(engine, 'make')
    await succeed(engine, made)
    await runBridgeTasks(engine.deps)
    const downstream = await onlyDownstream(engine, pipeline)
    const dispatched = await nextJob(engine)
    const use = await jobNamed(engine, downstream, 'use')
    if (!fetched) {
      expect(use).toMatchObject({ status: 'failed', failure_reason: 'missing_dependency_failure' })
      return
    }
    expect(dispatched?.job.id).toBe(use.id)
    const dependencies = await dependenciesOf(engine.deps, use)
    expect(dependencies.map(({ name }) => name)).toEqual(fetched)
  })

  test('of artifacts that have expired', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    engine.repositories.files.set('child.yml', child('{ pipeline: $PARENT_PIPELINE_ID, job: make }'))
    const pipeline = await pipelineOf(engine, PARENT('{ include: child.yml }'))
    const made = await takeJob(engine, 'make')
    const { job } = made
    await insertArtifact(database, job, { blob_key: '', expire_at: 1, created_at: 1 })
    await succeed(engine, made)
    await runBridgeTasks(engine.deps)
    expect(await nextJob(engine)).toBeUndefined()
    const use = await jobNamed(engine, await onlyDownstream(engine, pipeline), 'use')
    expect(use.failure_reason).toBe('missing_dependency_failure')
  })
})
