import PQueue from 'p-queue'

import { SwitchyardError } from '../../../lib/errors.js'
import type { ProjectRow, UserRow } from '../../database/tables/pipeline-rows.js'
import { createPipeline } from '../engine/create/create-pipeline.js'
import type { EngineDeps, ResolvedRef } from '../engine/engine-deps.js'
import { runnableRef } from '../engine/permissions/runnable-ref.js'
import { nextRun } from './cron.js'
import { pipelineRequest } from './request-pipeline.js'
import {
  findDueSchedules,
  findNextRun,
  findOwner,
  findProject,
  type ScheduleRow,
  takeDueRun,
} from './store.js'

/** So that one whose file includes what is slow to come does not keep the others waiting. */
const AT_ONCE = 4

/**
 * Creates a pipeline for each schedule whose time has come, one also for several times that were missed. The pipeline and
 * the schedule's next time are written in one transaction, which holds only if nobody else took this run: with several
 * coordinators, and when one is killed, each run happens once. A schedule whose owner may not run it any more is
 * deactivated. Returns when the next one is due, in milliseconds since 1970; undefined when none is. A schedule with which
 * this fails is logged, and tried again at the next call.
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
      await takeDueRun(engine.database, schedule, { active: false, last_failure: verdict.reason })
      return
    case 'miss':
      await takeDueRun(engine.database, schedule, { next_run_at, last_failure: verdict.reason })
      return
    case 'run':
      await createPipeline(engine, {
        ...(await pipelineRequest(engine, schedule, { project, user, on: verdict.on })),
        within: async (tx, refusal) => {
          const changes = { next_run_at, last_failure: refusal ?? null }
          if (!(await takeDueRun(tx, schedule, changes))) throw new RunTakenError()
        },
      })
  }
}

type Verdict =
  { kind: 'run'; on: ResolvedRef } | { kind: 'miss'; reason: string } | { kind: 'deactivate'; reason: string }

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
      // A project that is taken out of the archive, is restored, or has pipelines again, has its schedules back.
      return {
        kind: on.reason === 'read-only' || on.reason === 'disabled' ? 'miss' : 'deactivate',
        reason: on.message,
      }
  }
}

/** Another coordinator was first, or the schedule was changed meanwhile: the pipeline is not made. */
class RunTakenError extends SwitchyardError {
  readonly name = 'RunTakenError'
  readonly code = 'RUN_TAKEN'

  constructor() {
    super('This run of the schedule is taken')
  }
}
