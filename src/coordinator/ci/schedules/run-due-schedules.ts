import PQueue from 'p-queue'

import { nextRun } from '../../../cron/cron.js'
import { SwitchyardError } from '../../../lib/errors.js'
import type { ProjectRow, UserRow } from '../../database/tables/pipeline-rows.js'
import { inTransaction } from '../../database/transaction.js'
import { createPipeline } from '../engine/create/create-pipeline.js'
import type { PipelineRefusal } from '../engine/create/pipeline-request.js'
import type { EngineDeps, ResolvedRef } from '../engine/engine-deps.js'
import { runnableRef } from '../engine/permissions/runnable-ref.js'
import { pipelineRequest } from './request-pipeline.js'
import {
  claimDueRun,
  findDueSchedules,
  findNextRun,
  findOwner,
  findProject,
  type ScheduleRow,
} from './store.js'

/** Concurrent schedules, so that a slow `include` of one does not delay the others. */
const AT_ONCE = 4

/**
 * Creates a pipeline for each due schedule, and only one if several runs were missed. One transaction writes
 * the pipeline and the next time of the schedule, and commits only if no other process took this run. Each
 * run therefore happens exactly once, with several coordinators or after a crash. A schedule whose owner may
 * no longer run it is deactivated; that transaction checks it, too.
 *
 * Returns the time of the next due run, in milliseconds since 1970; undefined if there is none. If a schedule
 * fails, the error is logged and the next call retries it.
 */
export async function runDueSchedules(engine: EngineDeps, now = Date.now()): Promise<number | undefined> {
  const { database, logger } = engine
  const queue = new PQueue({ concurrency: AT_ONCE })
  await queue.addAll((await findDueSchedules(database, now)).map((schedule) => () => attempt(schedule)))
  return findNextRun(database, now)

  async function attempt(schedule: ScheduleRow): Promise<void> {
    try {
      await runSchedule(engine, schedule, now)
    } catch (error) {
      if (error instanceof RunTakenError) return
      logger.error({ err: error, schedule: schedule.id }, 'Failed to run a pipeline schedule')
    }
  }
}

async function runSchedule(engine: EngineDeps, schedule: ScheduleRow, now: number): Promise<void> {
  const project = await findProject(engine.database, schedule.project_id)
  const user = await findOwner(engine.database, schedule.owner_id)
  const verdict = await verdictOn(engine, schedule, project, user)
  const next_run_at = nextRun(schedule.cron, schedule.cron_timezone, now) ?? null
  switch (verdict.kind) {
    case 'deactivate':
      await deactivate(engine, schedule)
      return
    case 'miss':
      await claimDueRun(engine.database, schedule, { next_run_at, last_failure: verdict.reason })
      return
    case 'run':
      await createPipeline(engine, {
        ...(await pipelineRequest(engine, schedule, { project, user, on: verdict.on })),
        within: async (tx, refusal) => {
          const changes =
            refusal && isFinal(refusal.reason)
              ? { active: false, last_failure: refusal.message }
              : { next_run_at, last_failure: refusal?.message ?? null }
          if (!(await claimDueRun(tx, schedule, changes))) throw new RunTakenError()
        },
      })
  }
}

/** Deactivates a schedule, unless its owner may run it again. */
async function deactivate(engine: EngineDeps, schedule: ScheduleRow): Promise<void> {
  await inTransaction(engine.database, async (tx) => {
    const project = await findProject(tx, schedule.project_id)
    const user = await findOwner(tx, schedule.owner_id)
    const verdict = await verdictOn({ ...engine, database: tx }, schedule, project, user)
    if (verdict.kind === 'deactivate') {
      await claimDueRun(tx, schedule, { active: false, last_failure: verdict.reason })
    }
  })
}

/** A project that is unarchived, restored, or enables pipelines again gets its schedules back. */
function isFinal(reason: PipelineRefusal['reason']): boolean {
  return reason === 'blocked' || reason === 'role' || reason === 'protected-ref'
}

type Verdict =
  | { kind: 'run'; on: ResolvedRef }
  | { kind: 'miss'; reason: string }
  | { kind: 'deactivate'; reason: string }

async function verdictOn(
  engine: EngineDeps,
  schedule: ScheduleRow,
  project: ProjectRow,
  user: UserRow,
): Promise<Verdict> {
  const on = await runnableRef(engine, { by: 'schedule', project, user }, schedule.ref)
  switch (on.kind) {
    case 'ref':
      return { kind: 'run', on }
    case 'no-ref':
      return { kind: 'miss', reason: on.message }
    case 'not-allowed':
      return { kind: isFinal(on.reason) ? 'deactivate' : 'miss', reason: on.message }
  }
}

/**
 * Another coordinator was first, or the schedule was changed in the meantime: the pipeline is not created.
 */
class RunTakenError extends SwitchyardError {
  readonly name = 'RunTakenError'
  readonly code = 'RUN_TAKEN'

  constructor() {
    super('Another coordinator has already run the schedule')
  }
}
