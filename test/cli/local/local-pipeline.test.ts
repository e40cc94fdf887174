import { expect, test } from 'vitest'

import type { PlannedAutoCancel, PlannedJob } from '../../../src/ci-config/plan.js'
import { chooseJobs } from '../../../src/cli/commands/local/choose-jobs.js'
import { LocalPipeline } from '../../../src/cli/commands/local/local-pipeline.js'
import { runPipeline } from '../../../src/cli/commands/local/run-pipeline.js'
import { Slots } from '../../../src/cli/commands/local/slots.js'
import { isFine } from '../../../src/cli/commands/local/summary.js'
import type { JobEnd } from '../../../src/coordinator/ci/engine/jobs/job-end.js'
import { planned } from './planned-job.js'

const SUCCESS: JobEnd = { status: 'success' }
const failure = (exit_code: number): JobEnd => ({
  status: 'failed',
  failure_reason: 'script_failure',
  exit_code,
})

interface Setting {
  named?: string[]
  onJobFailure?: PlannedAutoCancel['onJobFailure']
}

function pipelineOf(jobs: PlannedJob[], { named = [], onJobFailure = 'none' }: Setting = {}) {
  const events: string[] = []
  const note = (what: string) => (job: { planned: PlannedJob }) => events.push(`${what} ${job.planned.name}`)
  const chosen = chooseJobs(jobs, named, { withNeeds: false })
  const pipeline = new LocalPipeline(chosen, onJobFailure, {
    delaySkipped: note('not delayed'),
    retried: note('retried'),
    ended: () => undefined,
    canceling: note('canceling'),
  })
  return { pipeline, events }
}

/** Runs the jobs one at a time; `ends` says how the attempts of a job end, by default well. */
async function run(pipeline: LocalPipeline, ends: Record<string, JobEnd[]> = {}): Promise<string[]> {
  const order: string[] = []
  await runPipeline(pipeline, new Slots(1), (job) => {
    order.push(job.planned.name)
    return Promise.resolve(ends[job.planned.name]?.[job.earlierAttempts] ?? SUCCESS)
  })
  return order
}

function statuses(pipeline: LocalPipeline): Record<string, string> {
  return Object.fromEntries(pipeline.jobs.map(({ planned: { name }, status }) => [name, status]))
}

test('stages run in order, a job with needs waits only for those, manual jobs are skipped', async () => {
  const { pipeline } = pipelineOf([
    planned('build', { stageIndex: 1 }),
    planned('test', { stageIndex: 2 }),
    planned('early', { stageIndex: 3, needs: [] }),
    planned('deploy', { stageIndex: 3, when: 'manual', allowFailure: true }),
  ])
  expect(await run(pipeline)).toEqual(['build', 'early', 'test'])
  expect(statuses(pipeline)).toMatchObject({ deploy: 'manual' })
  expect([pipeline.status, isFine(pipeline)]).toEqual(['success', true])
})

test('after a failure only jobs with a matching "when" run', async () => {
  const { pipeline } = pipelineOf([
    planned('build', { stageIndex: 1 }),
    planned('test', { stageIndex: 2 }),
    planned('report', { stageIndex: 3, when: 'on_failure' }),
    planned('tidy', { stageIndex: 3, when: 'always' }),
  ])
  expect(await run(pipeline, { build: [failure(1)] })).toEqual(['build', 'report', 'tidy'])
  expect(statuses(pipeline)).toMatchObject({ build: 'failed', test: 'skipped' })
  expect([pipeline.status, isFine(pipeline)]).toEqual(['failed', false])
})

test('a failed job is retried as configured, and allowed exit codes are not failures', async () => {
  const retry = { max: 2, when: ['always'], exitCodes: [] }
  const { pipeline, events } = pipelineOf([
    planned('flaky', { options: { retry } }),
    planned('broken', { options: { retry } }),
    planned('excused', { options: { allowFailureCodes: [42] } }),
  ])
  const ends = {
    flaky: [failure(1), SUCCESS],
    broken: [failure(1), failure(1), failure(1)],
    excused: [failure(42)],
  }
  expect(await run(pipeline, ends)).toHaveLength(2 + 3 + 1)
  expect(events).toEqual(['retried flaky', 'retried broken', 'retried broken'])
  expect(statuses(pipeline)).toEqual({ flaky: 'success', broken: 'failed', excused: 'failed' })
  expect(pipeline.jobs.find(({ planned: { name } }) => name === 'excused')?.allowFailure).toBe(true)
})

test('a delayed job starts at once', async () => {
  const { pipeline, events } = pipelineOf([planned('later', { when: 'delayed', startIn: 1800 })])
  expect(await run(pipeline)).toEqual(['later'])
  expect(events).toEqual(['not delayed later'])
})

test('jobs of one resource group run one at a time, others in parallel', () => {
  const { pipeline } = pipelineOf([
    planned('first', { resourceGroup: 'production' }),
    planned('second', { resourceGroup: 'production' }),
    planned('other'),
  ])
  const slots = new Slots(5)
  pipeline.advance()
  const first = pipeline.takeNext(slots)!
  expect([first.planned.name, pipeline.takeNext(slots)?.planned.name, pipeline.takeNext(slots)]).toEqual([
    'first',
    'other',
    undefined,
  ])
  slots.release(first)
  pipeline.end(first, SUCCESS)
  expect(pipeline.takeNext(slots)?.planned.name).toBe('second')
})

test('a canceled pipeline ends as canceled: running jobs receive the cancel, whatever they report then', () => {
  const { pipeline, events } = pipelineOf([planned('running'), planned('next', { stageIndex: 2 })])
  const slots = new Slots(5)
  pipeline.advance()
  const job = pipeline.takeNext(slots)!
  pipeline.cancel()
  expect(events).toEqual(['canceling running'])
  pipeline.end(job, failure(1))
  pipeline.advance()
  expect(statuses(pipeline)).toEqual({ running: 'canceled', next: 'canceled' })
  expect([pipeline.status, isFine(pipeline)]).toEqual(['canceled', false])
})

test('a failure cancels the remaining jobs if the file says so', async () => {
  const jobs = [planned('build'), planned('tidy', { stageIndex: 2, when: 'always' })]
  const { pipeline } = pipelineOf(jobs, { onJobFailure: 'all' })
  expect(await run(pipeline, { build: [failure(1)] })).toEqual(['build'])
  expect(statuses(pipeline)).toEqual({ build: 'failed', tidy: 'canceled' })
})

test('a chosen job has to succeed, although it is allowed to fail', async () => {
  const { pipeline } = pipelineOf([planned('lint', { allowFailure: true })], { named: ['lint'] })
  await run(pipeline, { lint: [failure(3)] })
  expect([pipeline.status, isFine(pipeline)]).toEqual(['success', false])
})

test('artifacts are taken from needed jobs, or from earlier stages', () => {
  const { pipeline } = pipelineOf([
    planned('build', { stageIndex: 1 }),
    planned('docs', { stageIndex: 1 }),
    planned('test', { stageIndex: 2 }),
    planned('deploy', { stageIndex: 2, needs: ['build'] }),
    planned('choosy', { stageIndex: 3, options: { dependencies: ['test'] } }),
  ])
  const sources = (name: string) => {
    const job = pipeline.jobs.find((each) => each.planned.name === name)!
    return pipeline.dependenciesOf(job).map((each) => each.planned.name)
  }
  expect(['test', 'deploy', 'choosy'].map(sources)).toEqual([['build', 'docs'], ['build'], ['test']])
})
