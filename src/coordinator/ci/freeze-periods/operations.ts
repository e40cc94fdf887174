import { Type } from 'typebox'

import { isCron, isTimeZone } from '../../../cron/cron.js'
import type { Project } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { checkRoom } from '../../http/check-room.js'
import { invalidRecord, notFound } from '../../http/errors.js'
import { answer, NoBody, type Operation, operation, page } from '../../http/operation.js'
import { presentFreezePeriod } from './present.js'
import { EditFreezePeriod, FreezePeriod, FreezePeriodId, NewFreezePeriod } from './schema.js'
import {
  deleteFreezePeriodRow,
  findFreezePeriod,
  type FreezePeriodRow,
  freezePeriodsOf,
  insertFreezePeriod,
  listFreezePeriods,
  updateFreezePeriod,
} from './store.js'

/** Per project. */
const MAX_PERIODS = 50

/** Periods in which pipelines get `CI_DEPLOY_FREEZE` (API, I2; CI language, 8.6). */
export function freezePeriodOperations({ database }: { database: Database }): Operation[] {
  return [
    operation('GET /projects/:id/freeze_periods', {
      summary: 'List the freeze periods of a project',
      access: 'admin_freeze_periods',
      answers: { 200: Type.Array(FreezePeriod) },
      paginated: true,
      run: async ({ project, paging }) => {
        const { rows, total } = await listFreezePeriods(database, project.id, paging)
        return page(rows.map(presentFreezePeriod), total)
      },
    }),
    operation('GET /projects/:id/freeze_periods/:freeze_period_id', {
      summary: 'Get a freeze period',
      access: 'admin_freeze_periods',
      params: FreezePeriodId,
      answers: { 200: FreezePeriod },
      run: async ({ project, params }) =>
        presentFreezePeriod(await requireFreezePeriod(database, project, params.freeze_period_id)),
    }),
    operation('POST /projects/:id/freeze_periods', {
      summary: 'Create a freeze period',
      access: 'admin_freeze_periods',
      params: NewFreezePeriod,
      answers: { 201: FreezePeriod },
      run: async ({ project, params }) => {
        const wanted = { cron_timezone: 'UTC', ...params }
        checkTimes(wanted)
        await checkRoom(freezePeriodsOf(database, project.id), { most: MAX_PERIODS, what: 'freeze periods' })
        const now = Date.now()
        const times = { created_at: now, updated_at: now }
        return presentFreezePeriod(
          await insertFreezePeriod(database, { ...wanted, project_id: project.id, ...times }),
        )
      },
    }),
    operation('PUT /projects/:id/freeze_periods/:freeze_period_id', {
      summary: 'Update a freeze period',
      access: 'admin_freeze_periods',
      params: EditFreezePeriod,
      answers: { 200: FreezePeriod },
      run: async ({ project, params: { freeze_period_id, ...changes } }) => {
        const before = await requireFreezePeriod(database, project, freeze_period_id)
        checkTimes({ ...before, ...changes })
        const row = await updateFreezePeriod(database, before.id, { ...changes, updated_at: Date.now() })
        if (!row) throw notFound('Freeze Period')
        return presentFreezePeriod(row)
      },
    }),
    operation('DELETE /projects/:id/freeze_periods/:freeze_period_id', {
      summary: 'Delete a freeze period',
      access: 'admin_freeze_periods',
      params: FreezePeriodId,
      answers: { 204: NoBody },
      modifiedAt: async ({ project, params }) =>
        (await requireFreezePeriod(database, project, params.freeze_period_id)).updated_at,
      run: async ({ project, params }) => {
        const isDeleted = await deleteFreezePeriodRow(database, project.id, params.freeze_period_id)
        if (!isDeleted) throw notFound('Freeze Period')
        return answer(204)
      },
    }),
  ]
}

async function requireFreezePeriod(
  database: Database,
  { id: projectId }: Project,
  id: number,
): Promise<FreezePeriodRow> {
  const row = await findFreezePeriod(database, projectId, id)
  if (!row) throw notFound('Freeze Period')
  return row
}

type Times = Pick<FreezePeriodRow, 'freeze_start' | 'freeze_end' | 'cron_timezone'>

/** Throws 400. */
function checkTimes({ freeze_start, freeze_end, cron_timezone }: Times): void {
  const problems = {
    ...(!isCron(freeze_start) && { freeze_start: ['is invalid syntax'] }),
    ...(!isCron(freeze_end) && { freeze_end: ['is invalid syntax'] }),
    ...(!isTimeZone(cron_timezone) && { cron_timezone: ['is invalid syntax'] }),
  }
  if (Object.keys(problems).length > 0) throw invalidRecord(problems)
}
