import { isCron, isTimeZone } from '../../../cron/cron.js'
import type { Project } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { checkRoom } from '../../http/check-room.js'
import { invalidRecord, notFound } from '../../http/errors.js'
import type { EditFreezePeriod, NewFreezePeriod } from './schema.js'
import {
  findFreezePeriod,
  type FreezePeriodRow,
  freezePeriodsOf,
  insertFreezePeriod,
  updateFreezePeriod,
} from './store.js'

/** Per project. */
const MAX_PERIODS = 50

/** Throws 404. */
export async function requireFreezePeriod(
  database: Database,
  { id: projectId }: Project,
  id: number,
): Promise<FreezePeriodRow> {
  const row = await findFreezePeriod(database, projectId, id)
  if (!row) throw notFound('Freeze Period')
  return row
}

/** Throws 400 for invalid times, and for too many periods. */
export async function createFreezePeriod(
  database: Database,
  project: Pick<Project, 'id'>,
  { freeze_start, freeze_end, cron_timezone = 'UTC' }: NewFreezePeriod,
): Promise<FreezePeriodRow> {
  const wanted = { freeze_start, freeze_end, cron_timezone }
  checkTimes(wanted)
  await checkRoom(freezePeriodsOf(database, project.id), { most: MAX_PERIODS, what: 'freeze periods' })
  const now = Date.now()
  const times = { created_at: now, updated_at: now }
  return insertFreezePeriod(database, { ...wanted, project_id: project.id, ...times })
}

/** Throws as `createFreezePeriod`, and 404. */
export async function editFreezePeriod(
  database: Database,
  project: Project,
  { freeze_period_id, ...changes }: EditFreezePeriod,
): Promise<FreezePeriodRow> {
  const before = await requireFreezePeriod(database, project, freeze_period_id)
  checkTimes({ ...before, ...changes })
  const row = await updateFreezePeriod(database, before.id, { ...changes, updated_at: Date.now() })
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
