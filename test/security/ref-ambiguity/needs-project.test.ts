import { expect, test } from 'vitest'

import { dependenciesOf } from '../../../src/coordinator/ci/engine/dispatch/dependencies.js'
import { addLibrary, withProjects } from '../../coordinator/ci/engine/support/downstream.js'
import {
  jobNamed,
  nextJob,
  openEngine,
  pipelineOf,
  succeed,
  takeJob,
  type TestEngine,
} from '../../coordinator/ci/engine/support/engine.js'
import { openSqlite } from '../../support/databases.js'

async function libraryJob(
  engine: TestEngine,
  library: Awaited<ReturnType<typeof addLibrary>>,
  refType: 'branch' | 'tag',
) {
  const file = 'build: { script: x, artifacts: { paths: [a] } }'
  const pipeline = await pipelineOf(engine, file, { project: library, ref: 'main', refType })
  await succeed(engine, await takeJob(engine, 'build'))
  return jobNamed(engine, pipeline, 'build')
}

async function start() {
  const engine = await openEngine(openSqlite)
  engine.repositories.tags.add('main')
  const library = await addLibrary(engine, 'build: { script: x, artifacts: { paths: [a] } }')
  withProjects(engine)
  const needing = (ref: string) =>
    pipelineOf(engine, `use: { script: x, needs: [{ project: lib/lib, ref: ${ref}, job: build }] }`)
  return { engine, library, needing }
}

test('needs:project of a branch does not fetch the artifacts of a tag with the name of the branch', async () => {
  const { engine, library, needing } = await start()
  const trusted = await libraryJob(engine, library, 'branch')
  const forged = await libraryJob(engine, library, 'tag')
  for (const [ref, wanted] of [
    ['main', trusted],
    ['refs/heads/main', trusted],
    ['refs/tags/main', forged],
  ] as const) {
    const pipeline = await needing(ref)
    await takeJob(engine, 'use')
    const fetched = await dependenciesOf(engine.deps, await jobNamed(engine, pipeline, 'use'))
    expect(fetched.map(({ id }) => id)).toEqual([wanted.id])
  }
})

test('needs:project of a branch without a successful job does not fall back to a tag', async () => {
  const { engine, library, needing } = await start()
  await libraryJob(engine, library, 'tag')
  const pipeline = await needing('main')
  expect(await nextJob(engine)).toBeUndefined()
  expect(await jobNamed(engine, pipeline, 'use')).toMatchObject({
    failure_reason: 'missing_dependency_failure',
  })
})
