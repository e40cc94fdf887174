import { expect, test } from 'vitest'

import { dependenciesOf } from '../../../../../src/coordinator/ci/engine/dispatch/dependencies.js'
import { requeueJob } from '../../../../../src/coordinator/ci/engine/dispatch/dispatch-job.js'
import type { PipelineRow, ProjectRow } from '../../../../../src/coordinator/database/tables/pipeline-rows.js'
import { inTransaction } from '../../../../../src/coordinator/database/transaction.js'
import { describeOnDatabase } from '../../../../support/databases.js'
import { addLibrary, withProjects } from '../support/downstream.js'
import {
  fail,
  jobNamed,
  jobsOf,
  nextJob,
  openEngine,
  pipelineOf,
  succeed,
  takeJob,
  type TestEngine,
} from '../support/engine.js'

const LIBRARY = `
build: { script: x, artifacts: { paths: [a], access: ACCESS } }
"test: [a, 1]": { script: x }
broken: { script: x }
`

describeOnDatabase('needs:project', (open) => {
  test('is the latest successful job of that name and ref in the other project', async () => {
    const { engine, library } = await withLibrary()
    const older = await libraryPipeline(engine, library)
    const newer = await libraryPipeline(engine, library)
    await libraryPipeline(engine, library, { ref: 'other' })
    const pipeline = await needing(engine, '{ project: lib/lib, ref: main, job: build }')
    expect(await fetched(engine, pipeline)).toEqual([(await jobNamed(engine, newer, 'build')).id])
    expect(older.id).toBeLessThan(newer.id)
  })

  test.each(['$THERE, ref: $BRANCH, job: $NAME', 'lib/lib, ref: main, job: "test: [a, 1]"'])(
    'may have variables, and names one instance of a matrix: %s',
    async (need) => {
      const { engine, library } = await withLibrary()
      const ran = await libraryPipeline(engine, library)
      const name = need.includes('test') ? 'test: [a, 1]' : 'build'
      const pipeline = await needing(engine, `{ project: ${need} }`)
      expect(await fetched(engine, pipeline)).toEqual([(await jobNamed(engine, ran, name)).id])
    },
  )

  test('keeps its choice while the job runs, and chooses again for a job that came back', async () => {
    const { engine, library } = await withLibrary()
    const older = await libraryPipeline(engine, library)
    const pipeline = await needing(engine, '{ project: lib/lib, ref: main, job: build }')
    const use = await takeJob(engine, 'use')
    const newer = await libraryPipeline(engine, library)
    expect(await dependencyIds(engine, pipeline)).toEqual([(await jobNamed(engine, older, 'build')).id])
    await requeueJob(engine.deps, use.job.id, use.token)
    await takeJob(engine, 'use')
    expect(await dependencyIds(engine, pipeline)).toEqual([(await jobNamed(engine, newer, 'build')).id])
  })

  test('without artifacts asks for nothing', async () => {
    const { engine } = await withLibrary()
    const pipeline = await needing(engine, '{ project: no/where, ref: main, job: x, artifacts: false }')
    expect(await fetched(engine, pipeline)).toEqual([])
  })

  const LACKS: [
    name: string,
    need: string,
    message: string,
    changes?: { level?: number; access?: string },
  ][] = [
    ['a project that is not there', 'no/where, ref: main, job: build', 'Project "no/where" does not exist'],
    [
      'a project that its user may not read',
      'lib/lib, ref: main, job: build',
      'Project "lib/lib" does not exist',
      { level: 0 },
    ],
    ['another ref', 'lib/lib, ref: other, job: build', 'no successful job "build" on "other"'],
    ['a job that failed', 'lib/lib, ref: main, job: broken', 'no successful job "broken" on "main"'],
    [
      'artifacts that are for others',
      'lib/lib, ref: main, job: build',
      'are not for',
      { level: 30, access: 'maintainer' },
    ],
  ]

  test.each(LACKS)('of %s fails the job, and says why', async (_name, need, message, changes = {}) => {
    const { level = 50, access } = changes
    const { engine, library } = await withLibrary(access)
    await libraryPipeline(engine, library)
    withProjects(engine, new Map([[library.id, level]]))
    const pipeline = await needing(engine, `{ project: ${need} }`)
    expect(await nextJob(engine)).toBeUndefined()
    expect(await jobNamed(engine, pipeline, 'use')).toMatchObject({
      status: 'failed',
      failure_reason: 'missing_dependency_failure',
      waited_for: { reason: 'missing_dependency', message: expect.stringContaining(message) as string },
    })
  })

  test('of artifacts that were erased fails the job, and says so', async () => {
    const { engine, library } = await withLibrary()
    const { id } = await jobNamed(engine, await libraryPipeline(engine, library), 'build')
    const erased = { erased_at: 1, has_outputs: true }
    await engine.deps.database.updateTable('job').set(erased).where('id', '=', id).execute()
    const pipeline = await needing(engine, '{ project: lib/lib, ref: main, job: build }')
    expect(await nextJob(engine)).toBeUndefined()
    expect((await jobNamed(engine, pipeline, 'use')).waited_for?.message).toMatch(/expired or were erased/)
  })

  test('of a pipeline that is deleted leaves nothing behind', async () => {
    const { engine, library } = await withLibrary()
    const ran = await libraryPipeline(engine, library)
    const pipeline = await needing(engine, '{ project: lib/lib, ref: main, job: build }')
    await takeJob(engine, 'use')
    const { database } = engine.deps
    await inTransaction(database, (tx) => tx.deleteFrom('pipeline').where('id', '=', ran.id).execute())
    expect(await dependencyIds(engine, pipeline)).toEqual([])
  })

  async function withLibrary(access = 'all') {
    const engine = await openEngine(open)
    const library = await addLibrary(engine, LIBRARY.replace('ACCESS', access))
    withProjects(engine)
    return { engine, library }
  }
})

/** A pipeline of the other project whose jobs have succeeded, `broken` apart. */
async function libraryPipeline(
  engine: TestEngine,
  library: ProjectRow,
  changes: { ref?: string } = {},
): Promise<PipelineRow> {
  const ciFile = engine.repositories.files.get(`${library.id}:.gitlab-ci.yml`) ?? ''
  const pipeline = await pipelineOf(engine, ciFile, { project: library, ...changes })
  for (const job of await jobsOf(engine, pipeline)) {
    const dispatched = await takeJob(engine, job.name)
    if (job.name === 'broken') await fail(engine, dispatched)
    else await succeed(engine, dispatched)
  }
  return pipeline
}

function needing(engine: TestEngine, need: string): Promise<PipelineRow> {
  const variables = '{ THERE: lib/lib, BRANCH: $CI_COMMIT_REF_NAME, NAME: build }'
  return pipelineOf(engine, `use: { script: x, variables: ${variables}, needs: [${need}] }`)
}

async function fetched(engine: TestEngine, pipeline: PipelineRow): Promise<number[]> {
  await takeJob(engine, 'use')
  return dependencyIds(engine, pipeline)
}

async function dependencyIds(engine: TestEngine, pipeline: PipelineRow): Promise<number[]> {
  const dependencies = await dependenciesOf(engine.deps, await jobNamed(engine, pipeline, 'use'))
  return dependencies.map(({ id }) => id)
}
