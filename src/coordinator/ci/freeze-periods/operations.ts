import { Type } from 'typebox'

import type { Database } from '../../database/connect.js'
import { notFound } from '../../http/errors.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { createFreezePeriod, editFreezePeriod, requireFreezePeriod } from './freeze-periods.js'
import { presentFreezePeriod } from './present.js'
import { EditFreezePeriod, FreezePeriod, FreezePeriodId, NewFreezePeriod } from './schema.js'
import { deleteFreezePeriodRow, listFreezePeriods } from './store.js'

/** Periods in which pipelines get `CI_DEPLOY_FREEZE` (API, I2; CI language, 8.6). */
export function freezePeriodOperations({ database }: { database: Database }): Operation[] {
  return [
    operation('GET /projects/:id/freeze_periods', {
      summary: 'List the freeze periods of a project',
      access: 'admin_freeze_periods',
      responses: { 200: Type.Array(FreezePeriod) },
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
      responses: { 200: FreezePeriod },
      run: async ({ project, params }) =>
        presentFreezePeriod(await requireFreezePeriod(database, project, params.freeze_period_id)),
    }),
    operation('POST /projects/:id/freeze_periods', {
      summary: 'Create a freeze period',
      access: 'admin_freeze_periods',
      params: NewFreezePeriod,
      responses: { 201: FreezePeriod },
      run: async ({ project, params }) =>
        presentFreezePeriod(await createFreezePeriod(database, project, params)),
    }),
    operation('PUT /projects/:id/freeze_periods/:freeze_period_id', {
      summary: 'Update a freeze period',
      access: 'admin_freeze_periods',
      params: EditFreezePeriod,
      changes: {
        attributes: ['freeze_start', 'freeze_end', 'cron_timezone'],
        before: ({ project, params }) => requireFreezePeriod(database, project, params.freeze_period_id),
      },
      responses: { 200: FreezePeriod },
      run: async ({ project, params }) =>
        presentFreezePeriod(await editFreezePeriod(database, project, params)),
    }),
    operation('DELETE /projects/:id/freeze_periods/:freeze_period_id', {
      summary: 'Delete a freeze period',
      access: 'admin_freeze_periods',
      params: FreezePeriodId,
      responses: { 204: NoBody },
      modifiedAt: async ({ project, params }) =>
        (await requireFreezePeriod(database, project, params.freeze_period_id)).updated_at,
      run: async ({ project, params }) => {
        const isDeleted = await deleteFreezePeriodRow(database, project.id, params.freeze_period_id)
        if (!isDeleted) throw notFound('Freeze Period')
        return respond(204)
      },
    }),
  ]
}
