import { expect, test } from 'vitest'

import type { JobPayload } from '../../../src/protocol/job-payload.js'
import { describeOnDatabase, type OpenDatabase, openSqlite } from '../../support/databases.js'
import {
  type CiCoordinator,
  ciCoordinatorForFile,
  jobNamed,
  pushPipeline,
  startCiCoordinator,
} from '../support/ci-coordinator.js'
import { RunnerClient } from '../support/runner-client.js'

const openCoordinator = ciCoordinatorForFile()

const FILE = `
unit: { script: [a], coverage: '/coverage: (\\d+\\.?\\d*)%/' }
end: { script: [a], coverage: '/total (\\d+)/' }
none: { script: [a] }
`

async function start(open: OpenDatabase = openSqlite, traceMaxBytes?: number) {
  const coordinator = await (traceMaxBytes
    ? startCiCoordinator({ traceMaxBytes }, open)
    : openCoordinator(open))
  return { coordinator, runner: await RunnerClient.register(coordinator) }
}

async function finish(runner: RunnerClient, job: JobPayload, log: string, state = 'success'): Promise<void> {
  await runner.patch(job, `0-${log.length}`, log)
  const response = await runner.update(job, state, { failure_reason: 'script_failure' })
  if (response.status !== 200) throw new Error(await response.text())
}

async function coverageOf({ app, admin, project }: CiCoordinator, path: string): Promise<unknown> {
  const { coverage } = (await app.call(admin, `GET /projects/${project.id}/${path}`)).json<{
    coverage: unknown
  }>()
  return coverage
}

describeOnDatabase('coverage', (open) => {
  test('comes from the last matching line of the log; the pipeline has the mean of its jobs', async () => {
    const { coordinator, runner } = await start(open)
    const pipeline = await pushPipeline(coordinator, FILE)
    const path = `pipelines/${pipeline.id}`
    expect(await coverageOf(coordinator, path)).toBeNull()
    await finish(runner, await runner.takeJob(), 'coverage: 10%\n\u001b[31mcoverage: 80.5%\u001b[0m\nbye\n')
    expect(await coverageOf(coordinator, path)).toBe('80.5')
    await finish(runner, await runner.takeJob(), `total 50\n${'nothing to see\n'.repeat(20_000)}`, 'failed')
    await finish(runner, await runner.takeJob(), 'coverage: 99%')
    expect(await coverageOf(coordinator, path)).toBe('65.25')
    const jobs = (
      await coordinator.app.call(coordinator.admin, `GET /projects/${coordinator.project.id}/${path}/jobs`)
    ).json<{ name: string; coverage: unknown }[]>()
    expect(jobs.map(({ name, coverage }) => [name, coverage])).toEqual([
      ['none', null],
      ['end', 50],
      ['unit', 80.5],
    ])
  })

  test('is found by the expression of the project in jobs without one of their own', async () => {
    const { coordinator, runner } = await start(open)
    const { admin, app, project } = coordinator
    const setTo = { build_coverage_regex: 'Lines: (\\d+)%' }
    await coordinator.database.updateTable('project').set(setTo).execute()
    await pushPipeline(coordinator, `a: { script: [a] }\nb: { script: [b], coverage: '/Other: (\\d+)/' }`)
    const log = 'Lines: 70%\nOther: 30\n'
    const jobs = [await runner.takeJob(), await runner.takeJob()]
    for (const job of jobs) await finish(runner, job, log)
    const found = jobs.map(({ id }) => app.call(admin, `GET /projects/${project.id}/jobs/${id}`))
    const coverages = (await Promise.all(found)).map((response) => response.json<{ coverage: unknown }>())
    expect(coverages).toMatchObject([{ coverage: 70 }, { coverage: 30 }])
  })

  test('of an attempt that was replaced does not count', async () => {
    const { coordinator, runner } = await start(open)
    const pipeline = await pushPipeline(coordinator, `unit: { script: [a], coverage: '/(\\d+)%/' }`)
    const first = await runner.takeJob()
    await finish(runner, first, '40%')
    await coordinator.app.call(
      coordinator.admin,
      `POST /projects/${coordinator.project.id}/jobs/${first.id}/retry`,
    )
    expect(await coverageOf(coordinator, `pipelines/${pipeline.id}`)).toBeNull()
    await finish(runner, await runner.takeJob(), '60%')
    expect(await coverageOf(coordinator, `pipelines/${pipeline.id}`)).toBe('60.0')
    expect(await coverageOf(coordinator, `jobs/${first.id}`)).toBe(40)
  })
})

test('a log over the size limit still gives its coverage', async () => {
  const { coordinator, runner } = await start(openSqlite, 20)
  await pushPipeline(coordinator, FILE)
  const job = await runner.takeJob()
  await runner.patch(job, '0-13', 'coverage: 75%')
  await runner.patch(job, '13-100', 'x'.repeat(87))
  expect(await jobNamed(coordinator, 'unit')).toMatchObject({
    failure_reason: 'trace_size_exceeded',
    coverage: 75,
  })
})

test('a long log is looked through from its end for as long as the size of the expression allows', async () => {
  const { coordinator, runner } = await start()
  await pushPipeline(coordinator, `unit: { script: [a], coverage: '/(a|b|ab){1,400}c(\\d+)/' }`)
  const early = `abc7\n${'ababababab\n'.repeat(60_000)}`
  await finish(runner, await runner.takeJob(), early)
  expect(await jobNamed(coordinator, 'unit')).toMatchObject({ status: 'success', coverage: null })
})
