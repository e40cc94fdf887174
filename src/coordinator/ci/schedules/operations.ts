import { Type } from 'typebox'

import type { Project, User } from '../../access/caller.js'
import { maySetVariables } from '../../access/may-set-variables.js'
import { apiError, forbidden } from '../../http/errors.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { described } from '../../http/parameters/described.js'
import { OneOf } from '../../http/parameters/types.js'
import { PipelineBrief, presentPipelineBrief } from '../../http/presenters/present-pipeline.js'
import { usersById } from '../../http/presenters/users-by-id.js'
import { signedIn } from '../../http/viewer.js'
import {
  presentDetailedPipeline,
  presentLastPipeline,
  presentScheduleSummary,
  presentScheduleVariable,
} from './present.js'
import {
  createScheduleVariable,
  deleteScheduleVariable,
  editScheduleVariable,
  requireScheduleVariable,
} from './schedule-variables.js'
import {
  type Actor,
  checkIsOwner,
  createSchedule,
  deleteSchedule,
  editSchedule,
  isOwnerOrMaintainer,
  playSchedule,
  requireSchedule,
  type ScheduleDeps,
  takeOwnership,
} from './schedules.js'
import {
  DetailedSchedule,
  EditSchedule,
  EditScheduleVariable,
  NewSchedule,
  NewVariable,
  Schedule,
  ScheduleId,
  ScheduleSummary,
  ScheduleVariable,
  VariableKey,
} from './schema.js'
import {
  findLastPipelinesOfSchedules,
  listPipelinesOfSchedule,
  listSchedules,
  type ScheduleRow,
  variablesOfSchedule,
} from './store.js'

export interface ScheduleOperationsDeps extends ScheduleDeps {
  /** Public address without a trailing slash. */
  externalUrl: string
}

interface ScheduleCall {
  project: Project
  user: User | undefined
  accessLevel: number
}

/** Pipelines that start by the clock (API, I2). */
export function pipelineScheduleOperations(deps: ScheduleOperationsDeps): Operation[] {
  return [...reading(deps), ...changing(deps), ...acting(deps), ...variableOperations(deps)]
}

function reading(deps: ScheduleOperationsDeps): Operation[] {
  const { database } = deps.engine
  return [
    operation('GET /projects/:id/pipeline_schedules', {
      summary: 'List project pipeline schedules',
      access: 'read_pipelines',
      params: Type.Object({
        scope: described(
          Type.Optional(OneOf('active', 'inactive')),
          'Whether to return only active schedules, or only inactive ones.',
        ),
        with_details: described(
          Type.Optional(Type.Boolean()),
          'Whether to add the last pipeline to each schedule; false by default.',
        ),
      }),
      responses: { 200: Type.Array(Type.Union([DetailedSchedule, ScheduleSummary])) },
      paginated: true,
      run: async (call) => {
        const { project, params, paging } = call
        const active = params.scope && params.scope === 'active'
        const { rows, total } = await listSchedules(database, project.id, active, paging)
        const schedules = await summaries(deps, rows)
        return page(params.with_details ? await withLastPipelines(deps, schedules) : schedules, total)
      },
    }),
    operation('GET /projects/:id/pipeline_schedules/:pipeline_schedule_id', {
      summary: 'Get a pipeline schedule',
      access: 'read_pipelines',
      params: ScheduleId,
      responses: { 200: Schedule },
      run: async (call) => {
        return record(deps, call, await requireSchedule(deps, call.project, call.params.pipeline_schedule_id))
      },
    }),
    operation('GET /projects/:id/pipeline_schedules/:pipeline_schedule_id/pipelines', {
      summary: 'List pipelines of a pipeline schedule',
      access: 'read_pipelines',
      params: ScheduleId,
      responses: { 200: Type.Array(PipelineBrief) },
      paginated: true,
      run: async (call) => {
        const { project, params, paging } = call
        const schedule = await requireSchedule(deps, project, params.pipeline_schedule_id)
        const { rows, total } = await listPipelinesOfSchedule(database, schedule.id, paging)
        const projectUrl = `${deps.externalUrl}/${project.full_path}`
        return page(
          rows.map((row) => presentPipelineBrief(row, projectUrl)),
          total,
        )
      },
    }),
  ]
}

function changing(deps: ScheduleOperationsDeps): Operation[] {
  return [
    operation('POST /projects/:id/pipeline_schedules', {
      summary: 'Create a pipeline schedule',
      access: 'manage_schedules',
      params: NewSchedule,
      responses: { 201: Schedule },
      run: async (call) =>
        record(deps, call, await createSchedule(deps, call.project, actorOf(call), call.params)),
    }),
    operation('PUT /projects/:id/pipeline_schedules/:pipeline_schedule_id', {
      summary: 'Update a pipeline schedule',
      access: 'manage_schedules',
      params: EditSchedule,
      changes: {
        attributes: ['description', 'ref', 'cron', 'cron_timezone', 'active'],
        before: async (call) =>
          record(deps, call, await requireSchedule(deps, call.project, call.params.pipeline_schedule_id)),
      },
      responses: { 200: Schedule },
      run: async (call) =>
        record(deps, call, await editSchedule(deps, call.project, actorOf(call), call.params)),
    }),
    operation('DELETE /projects/:id/pipeline_schedules/:pipeline_schedule_id', {
      summary: 'Delete a pipeline schedule',
      access: 'manage_schedules',
      params: ScheduleId,
      responses: { 204: NoBody },
      modifiedAt: async ({ project, params }) =>
        (await requireSchedule(deps, project, params.pipeline_schedule_id)).updated_at,
      run: async (call) => {
        const schedule = await requireSchedule(deps, call.project, call.params.pipeline_schedule_id)
        await deleteSchedule(deps, schedule, actorOf(call))
      },
    }),
  ]
}

function acting(deps: ScheduleOperationsDeps): Operation[] {
  return [
    operation('POST /projects/:id/pipeline_schedules/:pipeline_schedule_id/take_ownership', {
      summary: 'Take ownership of a pipeline schedule',
      access: 'take_over_schedules',
      params: ScheduleId,
      responses: { 200: Schedule, 201: Schedule },
      run: async (call) => {
        const schedule = await requireSchedule(deps, call.project, call.params.pipeline_schedule_id)
        const actor = actorOf(call)
        if (schedule.owner_id === actor.user.id) return respond(200, await record(deps, call, schedule))
        return respond(201, await record(deps, call, await takeOwnership(deps, schedule, actor)))
      },
    }),
    operation('POST /projects/:id/pipeline_schedules/:pipeline_schedule_id/play', {
      summary: 'Run a pipeline schedule immediately',
      access: 'manage_schedules',
      params: ScheduleId,
      responses: { 201: Type.Object({ message: described(Type.String(), 'Result of the request.') }) },
      run: async (call) => {
        const schedule = await requireSchedule(deps, call.project, call.params.pipeline_schedule_id)
        await playSchedule(deps, call.project, schedule, actorOf(call))
        return { message: '201 Created' }
      },
    }),
  ]
}

function variableOperations(deps: ScheduleOperationsDeps): Operation[] {
  const { secrets } = deps.engine
  return [
    operation('GET /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables/:key', {
      summary: 'Get a pipeline schedule variable',
      access: 'manage_schedules',
      params: VariableKey,
      responses: { 200: ScheduleVariable },
      run: async (call) => {
        const { pipeline_schedule_id, key } = call.params
        const schedule = await requireSchedule(deps, call.project, pipeline_schedule_id)
        if (!isOwnerOrMaintainer(schedule, call)) throw forbidden()
        return presentScheduleVariable(await requireScheduleVariable(deps, schedule, key), secrets)
      },
    }),
    operation('POST /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables', {
      summary: 'Create a pipeline schedule variable',
      access: 'manage_schedules',
      params: NewVariable,
      responses: { 201: ScheduleVariable },
      run: async (call) => {
        checkMaySet(call)
        const schedule = await ownSchedule(deps, call, call.params.pipeline_schedule_id)
        return presentScheduleVariable(await createScheduleVariable(deps, schedule, call.params), secrets)
      },
    }),
    operation('PUT /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables/:key', {
      summary: 'Update a pipeline schedule variable',
      access: 'manage_schedules',
      params: EditScheduleVariable,
      responses: { 200: ScheduleVariable },
      run: async (call) => {
        checkMaySet(call)
        const schedule = await ownSchedule(deps, call, call.params.pipeline_schedule_id)
        return presentScheduleVariable(await editScheduleVariable(deps, schedule, call.params), secrets)
      },
    }),
    operation('DELETE /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables/:key', {
      summary: 'Delete a pipeline schedule variable',
      access: 'manage_schedules',
      params: VariableKey,
      responses: { 202: ScheduleVariable },
      run: async (call) => {
        const schedule = await ownSchedule(deps, call, call.params.pipeline_schedule_id)
        return presentScheduleVariable(await deleteScheduleVariable(deps, schedule, call.params.key), secrets)
      },
    }),
  ]
}

/**
 * Pipelines of a schedule receive its variables, so the same permission applies (CI language, 9.2, row 4).
 */
function checkMaySet({ project, accessLevel }: ScheduleCall): void {
  if (!maySetVariables(project, accessLevel)) {
    throw apiError('pipeline_variables_forbidden')
  }
}

async function ownSchedule(
  deps: ScheduleOperationsDeps,
  call: ScheduleCall,
  id: number,
): Promise<ScheduleRow> {
  const schedule = await requireSchedule(deps, call.project, id)
  checkIsOwner(schedule, actorOf(call))
  return schedule
}

async function summaries(deps: ScheduleOperationsDeps, rows: ScheduleRow[]): Promise<ScheduleSummary[]> {
  const owners = await usersById(
    deps.engine.database,
    rows.map(({ owner_id }) => owner_id),
  )
  return rows.map((row) => {
    return presentScheduleSummary(row, owners.get(row.owner_id), deps.externalUrl)
  })
}

async function withLastPipelines(
  { engine }: ScheduleOperationsDeps,
  schedules: ScheduleSummary[],
): Promise<DetailedSchedule[]> {
  const pipelines = await findLastPipelinesOfSchedules(
    engine.database,
    schedules.map(({ id }) => id),
  )
  return schedules.map((schedule) => ({
    ...schedule,
    last_pipeline: presentDetailedPipeline(pipelines.get(schedule.id)),
  }))
}

async function record(deps: ScheduleOperationsDeps, call: ScheduleCall, row: ScheduleRow): Promise<Schedule> {
  const { database, secrets } = deps.engine
  const owners = await usersById(database, [row.owner_id])
  const { rows } = await listPipelinesOfSchedule(database, row.id, { page: 1, perPage: 1, offset: 0 })
  const schedule = {
    ...presentScheduleSummary(row, owners.get(row.owner_id), deps.externalUrl),
    last_pipeline: presentLastPipeline(rows[0]),
  }
  if (!isOwnerOrMaintainer(row, call)) return schedule
  const variables = await variablesOfSchedule(database, row.id)
  return {
    ...schedule,
    variables: variables.map((variable) => presentScheduleVariable(variable, secrets)),
    inputs: Object.entries(row.inputs).map(([name, value]) => ({ name, value })),
  }
}

/**
 * The signed-in user and the access level. The permission of the operation already excludes anonymous
 * callers.
 */
function actorOf({ user, accessLevel }: ScheduleCall): Actor {
  return { user: signedIn(user), accessLevel }
}
