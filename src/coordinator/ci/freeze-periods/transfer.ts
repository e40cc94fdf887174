import { Type } from 'typebox'

import type { Database } from '../../database/connect.js'
import { inPages } from '../../database/in-pages.js'
import { type TransferPart, transferPart } from '../../http/archive-part.js'
import { createFreezePeriod } from './freeze-periods.js'
import { NewFreezePeriod } from './schema.js'
import { freezePeriodsOf } from './store.js'

const Transferred = Type.Object(NewFreezePeriod.properties)

export function freezePeriodPart(database: Database): TransferPart {
  return transferPart({
    name: 'freeze_periods',
    schema: Transferred,
    read: async function* ({ id }) {
      const rows = inPages(freezePeriodsOf(database, id).selectAll(), 'freeze_period')
      for await (const { freeze_start, freeze_end, cron_timezone } of rows) {
        yield { freeze_start, freeze_end, cron_timezone }
      }
    },
    identityOf: ({ freeze_start, freeze_end, cron_timezone = 'UTC' }) => [
      freeze_start,
      freeze_end,
      cron_timezone,
    ],
    write: ({ project }, period) => createFreezePeriod(database, project, period),
  })
}
