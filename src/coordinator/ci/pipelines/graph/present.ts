import { isoTime, isoTimeOrNull } from '../../../http/presenters/present-time.js'
import { actionsOn } from '../../engine/job-actions.js'
import type { GraphAttempt, GraphJob, GraphRunner, LinkedPipeline } from './schema.js'
import type { AttemptRow, ExternalRow, GraphRow } from './store.js'

/** The related values that a record of a job needs. */
export interface GraphSurroundings {
  needs: string[]
  waiting: string | null
  /** Number of attempts, this one included. */
  attempts: number
  earlierAttempts: AttemptRow[] | undefined
  downstream: LinkedPipeline | null
  isArchived: boolean
}

export function presentGraphJob(row: GraphRow, around: GraphSurroundings): GraphJob {
  const { earlierAttempts } = around
  return {
    id: row.id,
    pipeline_id: row.pipeline_id,
    name: row.name,
    stage: row.stage,
    kind: row.kind === 'bridge' ? 'trigger' : 'job',
    status: row.status,
    when: row.when,
    allow_failure: row.allow_failure,
    scheduling_type: row.scheduling_type,
    needs: around.needs,
    ...presentTimes(row),
    scheduled_at: isoTimeOrNull(row.scheduled_at),
    failure_reason: row.status === 'failed' ? (row.failure_reason ?? 'unknown_failure') : null,
    waiting: around.waiting,
    runner: presentRunner(row),
    attempts: around.attempts,
    ...(earlierAttempts && { earlier_attempts: earlierAttempts.map(presentAttempt) }),
    artifacts: row.archive_size,
    coverage: row.coverage,
    environment: row.environment,
    ...instanceOf(row),
    downstream: around.downstream,
    tags: row.tag_list,
    actions: actionsOn(
      { ...row, options: row.mirrors === null ? {} : { mirrors: row.mirrors } },
      { isArchived: around.isArchived },
    ),
    manual_confirmation: row.manual_confirmation,
    target_url: null,
  }
}

export function presentExternal(row: ExternalRow): GraphJob {
  return {
    id: row.id,
    pipeline_id: row.pipeline_id,
    name: row.name,
    stage: row.stage,
    kind: 'external',
    status: row.status,
    when: 'on_success',
    allow_failure: false,
    scheduling_type: 'stage',
    needs: [],
    ...presentTimes({ ...row, queued_at: null }),
    scheduled_at: null,
    failure_reason: null,
    waiting: null,
    runner: null,
    attempts: 1,
    artifacts: null,
    coverage: row.coverage,
    environment: null,
    group: null,
    index: null,
    total: null,
    downstream: null,
    tags: [],
    actions: [],
    manual_confirmation: null,
    target_url: row.target_url,
  }
}

function presentAttempt(row: AttemptRow): GraphAttempt {
  return {
    id: row.id,
    status: row.status,
    ...presentTimes(row),
    failure_reason: row.failure_reason,
    runner: presentRunner(row),
  }
}

type Times = Pick<GraphRow, 'created_at' | 'queued_at' | 'started_at' | 'finished_at'>

/** Durations end with the job, so that a record only changes with the job. */
function presentTimes({ created_at, queued_at, started_at, finished_at }: Times) {
  return {
    created_at: isoTime(created_at),
    queued_at: isoTimeOrNull(queued_at),
    started_at: isoTimeOrNull(started_at),
    finished_at: isoTimeOrNull(finished_at),
    duration: secondsBetween(started_at, finished_at),
    queued_duration: secondsBetween(queued_at, started_at),
  }
}

function secondsBetween(start: number | null, end: number | null): number | null {
  return start === null || end === null ? null : Math.max(0, end - start) / 1000
}

function presentRunner(row: Pick<GraphRow, 'runner_id' | 'runner_description'>): GraphRunner | null {
  return row.runner_id === null ? null : { id: row.runner_id, description: row.runner_description }
}

/** `rspec 3/10` and `deploy: [aws, eu]` are instances of `rspec` and `deploy` (CI language, 3.12). */
function instanceOf({ name, parallel_index: index, parallel_total: total }: GraphRow) {
  if (index === null) return { group: null, index: null, total: null }
  const isCounted = name.endsWith(` ${index}/${total}`)
  const end = isCounted ? name.lastIndexOf(' ') : name.indexOf(': [')
  return { group: end < 0 ? name : name.slice(0, end), index, total }
}
