import { expect } from 'vitest'

import {
  appliedToPipeline,
  appliedToStage,
} from '../../../../../src/coordinator/ci/engine/advance/applied-status.js'
import { compositeStatus } from '../../../../../src/coordinator/ci/engine/advance/composite-status.js'
import type { JobRow } from '../../../../../src/coordinator/database/tables/pipeline-rows.js'
import type { TestEngine } from './engine.js'

/** Invariants of the whole store between two events. */
export async function expectConsistentStore({ deps: { database } }: TestEngine): Promise<void> {
  const jobs = await database.selectFrom('job').selectAll().execute()
  const queued = await database.selectFrom('queue_entry').select('job_id').execute()
  const leased = await database.selectFrom('lease').select('job_id').execute()
  const withStatus = (...statuses: string[]): number[] =>
    idsOf(jobs.filter((job) => statuses.includes(job.status)))

  expect(sorted(queued.map((row) => row.job_id))).toEqual(withStatus('pending'))
  expect(sorted(leased.map((row) => row.job_id))).toEqual(withStatus('running', 'canceling'))
  expect(idsOf(jobs.filter((job) => job.token_digest !== null))).toEqual(withStatus('running', 'canceling'))

  for (const group of await database.selectFrom('resource_group').selectAll().execute()) {
    const active = ['pending', 'running', 'canceling']
    const holding = jobs.filter((job) => job.resource_group_id === group.id && active.includes(job.status))
    expect(idsOf(holding)).toEqual(group.job_id === null ? [] : [group.job_id])
  }

  for (const stage of await database.selectFrom('stage').selectAll().execute()) {
    const composite = statusOf(jobs.filter((job) => job.stage_id === stage.id))
    expect(stage.status).toBe(composite && appliedToStage(stage.status, composite))
  }
  for (const pipeline of await database.selectFrom('pipeline').selectAll().execute()) {
    const composite = statusOf(jobs.filter((job) => job.pipeline_id === pipeline.id))
    expect(pipeline.status).toBe(composite && appliedToPipeline(pipeline.status, composite))
  }
}

function statusOf(jobs: JobRow[]) {
  const latest = jobs.filter((job) => !job.retried)
  return compositeStatus(latest.map((job) => ({ status: job.status, allowFailure: job.allow_failure })))
}

function idsOf(jobs: JobRow[]): number[] {
  return sorted(jobs.map((job) => job.id))
}

function sorted(ids: number[]): number[] {
  return ids.sort((a, b) => a - b)
}
