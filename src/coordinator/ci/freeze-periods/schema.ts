import { type Static, Type } from 'typebox'

import { described, optional } from '../../http/parameters/described.js'

const CronText = Type.String({ minLength: 1, maxLength: 255 })
const TimeZoneName = Type.String({ minLength: 1, maxLength: 255 })

/** API, I2. */
export const FreezePeriod = Type.Object({
  id: described(Type.Integer(), 'ID of the freeze period.'),
  freeze_start: described(Type.String(), 'Start: a cron expression with five fields.'),
  freeze_end: described(Type.String(), 'End: a cron expression with five fields.'),
  cron_timezone: described(Type.String(), 'Time zone of both, such as `Europe/Berlin`.'),
  created_at: described(Type.String(), 'Time of creation.'),
  updated_at: described(Type.String(), 'Time of the last change.'),
})
export type FreezePeriod = Static<typeof FreezePeriod>

const Id = described(Type.Integer(), 'ID of the freeze period.')
export const FreezePeriodId = Type.Object({ freeze_period_id: Id })

export const NewFreezePeriod = Type.Object({
  freeze_start: described(CronText, 'Start: a cron expression with five fields.'),
  freeze_end: described(CronText, 'End: a cron expression with five fields.'),
  cron_timezone: optional(TimeZoneName, 'Time zone of both; `UTC` by default.'),
})
export type NewFreezePeriod = Static<typeof NewFreezePeriod>

export const EditFreezePeriod = Type.Object({
  freeze_period_id: Id,
  freeze_start: optional(CronText, 'Start: a cron expression with five fields.'),
  freeze_end: optional(CronText, 'End: a cron expression with five fields.'),
  cron_timezone: optional(TimeZoneName, 'Time zone of both.'),
})
export type EditFreezePeriod = Static<typeof EditFreezePeriod>
