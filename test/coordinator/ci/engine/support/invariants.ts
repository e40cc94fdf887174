import { expect } from 'vitest'

import {
  appliedToPipeline,
  appliedToStage,
} from '../../../../../src/coordinator/ci/engine/advance/applied-status.js'
import { compositeStatus } from '../../../../../src/coordinator/ci/engine/advance/composite-status.js'
import type { JobRow } from '../../../../../src/coordinator/database/tables/pipeline-rows.js'
import type { TestEngine } from './engine.js'

/** What the invariants read: the other columns of a job are large. */
const JOB_COLUMNS = [
  'id',
  'status',
  'token_digest',
  'resource_group_id',
  'stage_id',
  'pipeline_id',
  'retried',
  'allow_failure',
] as const
type Job = Pick<JobRow, (typeof JOB_COLUMNS)[number]>

/** Invariants of the whole store between two events. */
export async function expectConsistentStore({ deps: { database } }: TestEngine): Promise<void> {
  const jobs = await database.selectFrom('job').select(JOB_COLUMNS).execute()
  const queued = await database.selectFrom('queue_entry').select('job_id').execute()
  const leased = await database.selectFrom('lease').select('job_id').execute()
  const withStatus = (...statuses: string[]): number[] =>
    idsOf(jobs.filter((job) => statuses.includes(job.status)))

  expect(sorted(queued.map((row) => row.job_id))).toEqual(withStatus('pending'))
  expect(sorted(leased.map((row) => row.job_id))).toEqual(withStatus('running', 'canceling'))
  expect(idsOf(jobs.filter((job) => job.token_digest !== null))).toEqual(withStatus('running', 'canceling'))

  const active = ['pending', 'running', 'canceling']
  const holding = groupBy(
    jobs.filter((job) => active.includes(job.status)),
    (job) => job.resource_group_id,
  )
  const groups = await database.selectFrom('resource_group').select(['id', 'job_id']).execute()
  expect(groups.map(({ id }) => idsOf(holding.get(id) ?? []))).toEqual(
    groups.map((group) => (group.job_id === null ? [] : [group.job_id])),
  )

  const byStage = groupBy(jobs, (job) => job.stage_id)
  const stages = await database.selectFrom('stage').select(['id', 'status']).execute()
  const expectedOfStage = ({ id, status }: (typeof stages)[number]) => {
    const composite = statusOf(byStage.get(id) ?? [])
    return { id, status: composite && appliedToStage(status, composite) }
  }
  expect(stages).toEqual(stages.map(expectedOfStage))

  const byPipeline = groupBy(jobs, (job) => job.pipeline_id)
  const pipelines = await database.selectFrom('pipeline').select(['id', 'status']).execute()
  const expectedOfPipeline = ({ id, status }: (typeof pipelines)[number]) => {
    const composite = statusOf(byPipeline.get(id) ?? [])
    return { id, status: composite && appliedToPipeline(status, composite) }
  }
  expect(pipelines).toEqual(pipelines.map(expectedOfPipeline))
}

function groupBy<Key>(jobs: Job[], keyOf: (job: Job) => Key): Map<Key, Job[]> {
  const groups = new Map<Key, Job[]>()
  for (const job of jobs) {
    const group = groups.get(keyOf(job))
    if (group) group.push(job)
    else groups.set(keyOf(job), [job])
  }
  return groups
}

function statusOf(jobs: Job[]) {
  const latest = jobs.filter((job) => !job.retried)
  return compositeStatus(latest.map((job) => ({ status: job.status, allowFailure: job.allow_failure })))
}

function idsOf(jobs: Job[]): number[] {
  return sorted(jobs.map((job) => job.id))
}

function sorted(ids: number[]): number[] {
  return ids.sort((a, b) => a - b)
}
