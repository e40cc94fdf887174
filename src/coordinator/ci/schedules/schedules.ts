import { isCron, isTimeZone, nextRun } from '../../../cron/cron.js'
import { MINUTE } from '../../../lib/time-units.js'
import { MAINTAINER } from '../../access/access-levels.js'
import type { Project, User } from '../../access/caller.js'
import { planLimit } from '../../database/stores/plan-limit-store.js'
import { checkRoom } from '../../http/check-room.js'
import { type ApiError, apiError, forbidden, invalidRecord, notFound } from '../../http/errors.js'
import { tooOften } from '../../http/rate-limits/refusals.js'
import { refusedPipeline } from '../../http/refused-pipeline.js'
import { createPipeline } from '../engine/create/create-pipeline.js'
import type { EngineDeps } from '../engine/engine-deps.js'
import { runnableRef } from '../engine/permissions/runnable-ref.js'
import { pipelineRequest } from './request-pipeline.js'
import { changedInputs } from './schedule-inputs.js'
import type { EditSchedule, NewSchedule } from './schema.js'
import {
  claimManualRun,
  deleteScheduleRow,
  findSchedule,
  insertSchedule,
  type ScheduleRow,
  schedulesOf,
  updateSchedule,
} from './store.js'

export interface ScheduleDeps {
  engine: EngineDeps
  /** Called with the time when a schedule is due next, in milliseconds since 1970. */
  onScheduled: (at: number) => void
}

/** The caller and the access level in the project. */
export interface Actor {
  user: User
  accessLevel: number
}

/** Minimum time between two manual runs of a schedule. Milliseconds. */
const BETWEEN_PLAYS = MINUTE

/** Throws 404. */
export async function requireSchedule(
  { engine }: Pick<ScheduleDeps, 'engine'>,
  project: Project,
  id: number,
): Promise<ScheduleRow> {
  const schedule = await findSchedule(engine.database, project.id, id)
  if (!schedule) throw notFound('Pipeline Schedule')
  return schedule
}

export async function createSchedule(
  deps: ScheduleDeps,
  project: Project,
  actor: Actor,
  params: NewSchedule,
): Promise<ScheduleRow> {
  const { description, cron, cron_timezone = 'UTC', active = true, inputs = [] } = params
  const next_run_at = checkedNextRun(cron, cron_timezone)
  const { database } = deps.engine
  const most = await planLimit(database, 'ci_pipeline_schedules')
  await checkRoom(schedulesOf(database, project.id), { most, what: 'pipeline schedules' })
  const now = Date.now()
  const schedule = await insertSchedule(database, {
    description,
    cron,
    cron_timezone,
    active,
    next_run_at,
    project_id: project.id,
    owner_id: actor.user.id,
    inputs: JSON.stringify(changedInputs({}, inputs)),
    ref: await checkedRef(deps, project, actor, params.ref),
    created_at: now,
    updated_at: now,
  })
  notifyScheduled(deps, schedule)
  return schedule
}

/** Pipelines run with the permissions of the owner, so only the owner may edit the schedule. */
export async function editSchedule(
  deps: ScheduleDeps,
  project: Project,
  actor: Actor,
  params: EditSchedule,
): Promise<ScheduleRow> {
  const schedule = await requireSchedule(deps, project, params.pipeline_schedule_id)
  checkIsOwner(schedule, actor)
  const { pipeline_schedule_id: _id, ref, inputs, ...given } = params
  const { cron, cron_timezone } = { ...schedule, ...given }
  const changed = await updateSchedule(deps.engine.database, schedule.id, {
    ...given,
    ...(ref !== undefined && { ref: await checkedRef(deps, project, actor, ref) }),
    ...(inputs && { inputs: JSON.stringify(changedInputs(schedule.inputs, inputs)) }),
    ...(movesTheTime(schedule, given) && { next_run_at: checkedNextRun(cron, cron_timezone) }),
    // An inactive schedule with a failure is one that was deactivated for it, not by its owner.
    ...((given.active || (given.active === false && schedule.active)) && { last_failure: null }),
    updated_at: Date.now(),
  })
  if (!changed) throw notFound('Pipeline Schedule')
  notifyScheduled(deps, changed)
  return changed
}

/**
 * Runs missed while a schedule was inactive do not count. A change that repeats the old values does not
 * cancel a due run.
 */
function movesTheTime(before: ScheduleRow, given: Partial<EditSchedule>): boolean {
  const { cron = before.cron, cron_timezone = before.cron_timezone, active = before.active } = given
  const isOtherTime = cron !== before.cron || cron_timezone !== before.cron_timezone
  return isOtherTime || (active && !before.active)
}

export async function takeOwnership(
  deps: ScheduleDeps,
  schedule: ScheduleRow,
  { user }: Actor,
): Promise<ScheduleRow> {
  const changes = { owner_id: user.id, updated_at: Date.now() }
  const changed = await updateSchedule(deps.engine.database, schedule.id, changes)
  if (!changed) throw notFound('Pipeline Schedule')
  return changed
}

export async function deleteSchedule(deps: ScheduleDeps, schedule: ScheduleRow, actor: Actor): Promise<void> {
  if (!isOwnerOrMaintainer(schedule, actor)) throw forbidden()
  await deleteScheduleRow(deps.engine.database, schedule.id)
}

/**
 * Runs a schedule immediately, with the permissions of the caller. Throws 400 with the reason if no pipeline
 * is created.
 */
export async function playSchedule(
  { engine }: ScheduleDeps,
  project: Project,
  schedule: ScheduleRow,
  { user }: Actor,
): Promise<void> {
  const on = await runnableRef(engine, { by: 'schedule', project, user }, schedule.ref)
  if (on.kind === 'not-allowed') throw apiError('ref_not_runnable', { reason: on.message })
  if (on.kind === 'no-ref') throw invalidRecord({ base: [on.message] })
  const now = Date.now()
  const isFree = schedule.played_at === null || schedule.played_at <= now - BETWEEN_PLAYS
  if (!isFree) throw tooManyPlays(schedule.played_at ?? now, now)
  const creation = await createPipeline(engine, {
    ...(await pipelineRequest(engine, schedule, { project, user, on })),
    // A refused run may be retried immediately.
    within: async (tx, refusal) => {
      if (refusal !== undefined) return
      if (!(await claimManualRun(tx, schedule.id, now - BETWEEN_PLAYS, now)))
        throw tooManyPlays(schedule.played_at ?? now, now)
    },
  })
  if (creation.kind === 'refused') throw refusedPipeline(creation)
}

export function checkIsOwner({ owner_id }: ScheduleRow, { user }: Actor): void {
  if (owner_id !== user.id) {
    throw apiError('schedule_of_other_user')
  }
}

export function isOwnerOrMaintainer(
  { owner_id }: ScheduleRow,
  { user, accessLevel }: { user: User | undefined; accessLevel: number },
): boolean {
  return user !== undefined && (owner_id === user.id || accessLevel >= MAINTAINER)
}

/** Throws 400 for an invalid cron expression or time zone, and for a date that never occurs. */
function checkedNextRun(cron: string, timeZone: string): number {
  if (!isCron(cron)) throw invalidRecord({ cron: ['syntax is invalid'] })
  if (!isTimeZone(timeZone)) throw invalidRecord({ cron_timezone: ['syntax is invalid'] })
  const next = nextRun(cron, timeZone, Date.now())
  if (next === undefined) throw invalidRecord({ cron: ['never matches a date'] })
  return next
}

/** The full name of a branch or tag on which the user may run pipelines. */
async function checkedRef(
  { engine }: ScheduleDeps,
  project: Project,
  { user }: Actor,
  ref: string,
): Promise<string> {
  const on = await runnableRef(engine, { by: 'schedule', project, user }, ref)
  switch (on.kind) {
    case 'ref':
      return `refs/${on.type === 'tag' ? 'tags' : 'heads'}/${on.ref}`
    case 'no-ref':
      throw invalidRecord({ base: [on.message] })
    case 'not-allowed':
      throw apiError('ref_not_runnable', { reason: on.message })
  }
}

function notifyScheduled({ onScheduled }: ScheduleDeps, { active, next_run_at }: ScheduleRow): void {
  if (active && next_run_at !== null) onScheduled(next_run_at)
}

function tooManyPlays(playedAt: number, now: number): ApiError {
  return tooOften(1, { observed: 2, resetAt: playedAt + BETWEEN_PLAYS }, now)
}
