import { previousRun } from '../../../cron/cron.js'
import type { Database } from '../../database/connect.js'
import { preparedRead } from '../../database/prepared-read.js'
import type { Placeholder } from '../../database/prepared-statement.js'
import type { FreezePeriodTable } from '../../database/tables/freeze-periods.js'

type Period = Pick<FreezePeriodTable, 'freeze_start' | 'freeze_end' | 'cron_timezone'>

const periodsOf = preparedRead((database, { projectId }: { projectId: Placeholder<number> }) =>
  database
    .selectFrom('freeze_period')
    .select(['freeze_start', 'freeze_end', 'cron_timezone'])
    .where('project_id', '=', projectId),
)

/** Whether a project is in one of its freeze periods at a time, in milliseconds since 1970. */
export async function isDeployFreeze(database: Database, projectId: number, at: number): Promise<boolean> {
  const periods = await periodsOf(database, { projectId })
  return periods.some((period) => isWithin(period, at))
}

/** Whether the last start is later than the last end; the start belongs to the period, and the end does not. */
export function isWithin({ freeze_start, freeze_end, cron_timezone }: Period, at: number): boolean {
  const start = previousRun(freeze_start, cron_timezone, at)
  const end = previousRun(freeze_end, cron_timezone, at)
  return start !== undefined && (end === undefined || start > end)
}
