import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { Nullable, NullableText, OneOf } from '../../http/parameters/types.js'
import { PublicUser } from '../../http/presenters/present-user.js'

/** A schedule in a list (API, I2). */
export const ScheduleSummary = Type.Object({
  id: described(Type.Integer(), 'ID of the schedule.'),
  description: described(Type.String(), 'Description.'),
  ref: described(Type.String(), 'Branch or tag, as `refs/heads/<name>` or `refs/tags/<name>`.'),
  cron: described(Type.String(), 'Cron expression with five fields.'),
  cron_timezone: described(
    Type.String(),
    'Time zone of `cron`, such as `Europe/Berlin` or `Berlin`; `UTC` by default.',
  ),
  next_run_at: described(NullableText, 'Time of the next run; null if there is none.'),
  active: described(Type.Boolean(), 'Whether the schedule is active; true by default.'),
  last_failure: described(
    NullableText,
    'Why the last run created no pipeline, or why the schedule was deactivated; null if nothing failed.',
  ),
  created_at: described(Type.String(), 'Time of creation.'),
  updated_at: described(Type.String(), 'Time of the last change.'),
  owner: described(
    Nullable(PublicUser),
    'Owner, whose permissions the pipelines have; null for a deleted account.',
  ),
})
export type ScheduleSummary = Static<typeof ScheduleSummary>

export const ScheduleVariable = Type.Object({
  key: described(Type.String(), 'Name of the variable.'),
  variable_type: described(
    OneOf('env_var', 'file'),
    'Type of the variable; `file` stores the value in a file and sets the variable to its path. `env_var` by default.',
  ),
  value: described(Type.String(), 'Value of the variable.'),
  raw: described(Type.Boolean(), 'Whether references in the value are not expanded; always false.'),
})
export type ScheduleVariable = Static<typeof ScheduleVariable>

/** A value for an input of the CI file (CI language, 5.2). */
export const ScheduleInput = Type.Object({
  name: described(Type.String(), 'Name of the input.'),
  value: described(Type.Unknown(), 'Value of the input.'),
})
export type ScheduleInput = Static<typeof ScheduleInput>

const LastPipeline = Type.Object({
  id: described(Type.Integer(), 'ID of the pipeline.'),
  sha: described(Type.String(), 'SHA of the commit.'),
  ref: described(Type.String(), 'Branch or tag of the pipeline.'),
  status: described(Type.String(), 'Status of the pipeline.'),
})

export const Schedule = Type.Object({
  ...ScheduleSummary.properties,
  last_pipeline: described(Nullable(LastPipeline), 'Last pipeline of the schedule; null if there is none.'),
  variables: described(
    Type.Optional(Type.Array(ScheduleVariable)),
    'Variables of the pipelines; only for the owner and maintainers.',
  ),
  inputs: described(
    Type.Optional(Type.Array(ScheduleInput)),
    'Values for the inputs of the CI file; only for the owner and maintainers.',
  ),
})
export type Schedule = Static<typeof Schedule>

export const ScheduleId = Type.Object({
  pipeline_schedule_id: described(Type.Integer(), 'ID of the schedule.'),
})

/** A schedule in a list, with what a page shows of it. */
export const DetailedSchedule = Type.Object({
  ...ScheduleSummary.properties,
  last_pipeline: described(
    Nullable(
      Type.Object({
        ...LastPipeline.properties,
        created_at: described(Type.String(), 'Time of creation.'),
      }),
    ),
    'Last pipeline of the schedule; null if there is none.',
  ),
})
export type DetailedSchedule = Static<typeof DetailedSchedule>

const Description = Type.String({ minLength: 1, maxLength: 255 })
const Ref = Type.String({ minLength: 1, maxLength: 1024 })
const CronText = Type.String({ minLength: 1, maxLength: 255 })
/** Inputs that are not named keep their values; `destroy` deletes one. */
const Inputs = Type.Array(
  Type.Object({
    name: described(Type.String({ minLength: 1, maxLength: 255 }), 'Name of an input of the CI file.'),
    value: described(Type.Optional(Type.Unknown()), 'Value of the input.'),
    destroy: described(Type.Optional(Type.Boolean()), 'Whether to delete the value.'),
  }),
)
export type GivenInputs = Static<typeof Inputs>

const TimeZoneName = Type.String({ maxLength: 255 })

export const NewSchedule = Type.Object({
  description: described(Description, 'Description.'),
  ref: described(Ref, 'Branch or tag, short or full name.'),
  cron: described(CronText, 'Cron expression with five fields.'),
  cron_timezone: described(
    Type.Optional(TimeZoneName),
    'Time zone of `cron`, such as `Europe/Berlin` or `Berlin`; `UTC` by default.',
  ),
  active: described(Type.Optional(Type.Boolean()), 'Whether the schedule is active; true by default.'),
  inputs: described(
    Type.Optional(Inputs),
    'Values for the inputs of the CI file; inputs that are not listed are unchanged.',
  ),
})
export type NewSchedule = Static<typeof NewSchedule>

export const EditSchedule = Type.Object({
  ...ScheduleId.properties,
  description: described(Type.Optional(Description), 'Description.'),
  ref: described(Type.Optional(Ref), 'Branch or tag, short or full name.'),
  cron: described(Type.Optional(CronText), 'Cron expression with five fields.'),
  cron_timezone: described(Type.Optional(TimeZoneName), 'Time zone of `cron`; `UTC` by default.'),
  active: described(Type.Optional(Type.Boolean()), 'Whether the schedule is active; true by default.'),
  inputs: described(
    Type.Optional(Inputs),
    'Values for the inputs of the CI file; inputs that are not listed are unchanged.',
  ),
})
export type EditSchedule = Static<typeof EditSchedule>

const VariableType = Type.Optional(OneOf('env_var', 'file'))

export const NewVariable = Type.Object({
  ...ScheduleId.properties,
  key: described(Type.String(), 'Name of the variable: at most 255 letters, digits and `_`.'),
  value: described(Type.String(), 'Value of the variable.'),
  variable_type: described(
    VariableType,
    'Type of the variable; `file` stores the value in a file and sets the variable to its path. `env_var` by default.',
  ),
})
export type NewVariable = Static<typeof NewVariable>

export const VariableKey = Type.Object({
  ...ScheduleId.properties,
  key: described(Type.String(), 'Name of the variable: at most 255 letters, digits and `_`.'),
})

export const EditScheduleVariable = Type.Object({
  ...VariableKey.properties,
  value: described(Type.Optional(Type.String()), 'New value; unchanged if absent.'),
  variable_type: described(
    VariableType,
    'Type of the variable; `file` stores the value in a file and sets the variable to its path. `env_var` by default.',
  ),
})
export type EditScheduleVariable = Static<typeof EditScheduleVariable>
