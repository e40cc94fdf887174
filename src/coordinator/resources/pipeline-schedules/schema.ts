import { type Static, Type } from 'typebox'

import { Nullable, NullableText, OneOf } from '../../http/parameters/types.js'
import { PublicUser } from '../../http/present-user.js'

/** A schedule in a list (API gaps, I2). */
export const ScheduleSummary = Type.Object({
  id: Type.Integer(),
  description: Type.String(),
  /** `refs/heads/<name>` or `refs/tags/<name>`. */
  ref: Type.String(),
  cron: Type.String(),
  cron_timezone: Type.String(),
  next_run_at: NullableText,
  active: Type.Boolean(),
  /** Why the last run made no pipeline, or why the schedule was deactivated. */
  last_failure: NullableText,
  created_at: Type.String(),
  updated_at: Type.String(),
  owner: Nullable(PublicUser),
})
export type ScheduleSummary = Static<typeof ScheduleSummary>

export const ScheduleVariable = Type.Object({
  key: Type.String(),
  variable_type: OneOf('env_var', 'file'),
  value: Type.String(),
  raw: Type.Boolean(),
})
export type ScheduleVariable = Static<typeof ScheduleVariable>

/** A value for an input of the CI file (CI language, 5.2). */
export const ScheduleInput = Type.Object({ name: Type.String(), value: Type.Unknown() })
export type ScheduleInput = Static<typeof ScheduleInput>

export const Schedule = Type.Object({
  ...ScheduleSummary.properties,
  last_pipeline: Nullable(
    Type.Object({ id: Type.Integer(), sha: Type.String(), ref: Type.String(), status: Type.String() }),
  ),
  /** For the owner and for maintainers only. */
  variables: Type.Optional(Type.Array(ScheduleVariable)),
  inputs: Type.Optional(Type.Array(ScheduleInput)),
})
export type Schedule = Static<typeof Schedule>

export const ScheduleId = Type.Object({ pipeline_schedule_id: Type.Integer() })

const Description = Type.String({ minLength: 1, maxLength: 255 })
const Ref = Type.String({ minLength: 1, maxLength: 1024 })
const CronText = Type.String({ minLength: 1, maxLength: 255 })
/** Those that are not named stay as they are; `destroy` removes one. */
const Inputs = Type.Array(
  Type.Object({
    name: Type.String({ minLength: 1, maxLength: 255 }),
    value: Type.Optional(Type.Unknown()),
    destroy: Type.Optional(Type.Boolean()),
  }),
)
export type GivenInputs = Static<typeof Inputs>

const TimeZoneName = Type.String({ maxLength: 255 })

export const NewSchedule = Type.Object({
  description: Description,
  ref: Ref,
  cron: CronText,
  cron_timezone: Type.Optional(TimeZoneName),
  active: Type.Optional(Type.Boolean()),
  inputs: Type.Optional(Inputs),
})
export type NewSchedule = Static<typeof NewSchedule>

export const EditSchedule = Type.Object({
  ...ScheduleId.properties,
  description: Type.Optional(Description),
  ref: Type.Optional(Ref),
  cron: Type.Optional(CronText),
  cron_timezone: Type.Optional(TimeZoneName),
  active: Type.Optional(Type.Boolean()),
  inputs: Type.Optional(Inputs),
})
export type EditSchedule = Static<typeof EditSchedule>

const VariableType = Type.Optional(OneOf('env_var', 'file'))

export const NewVariable = Type.Object({
  ...ScheduleId.properties,
  key: Type.String(),
  value: Type.String(),
  variable_type: VariableType,
})
export type NewVariable = Static<typeof NewVariable>

export const VariableKey = Type.Object({ ...ScheduleId.properties, key: Type.String() })

export const EditVariable = Type.Object({
  ...VariableKey.properties,
  value: Type.Optional(Type.String()),
  variable_type: VariableType,
})
export type EditVariable = Static<typeof EditVariable>
