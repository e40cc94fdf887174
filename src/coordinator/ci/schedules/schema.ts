import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { Nullable, NullableText, OneOf } from '../../http/parameters/types.js'
import { PublicUser } from '../../http/presenters/present-user.js'

/** A schedule in a list (API, I2). */
export const ScheduleSummary = Type.Object({
  id: described(Type.Integer(), 'Number of the schedule.'),
  description: described(Type.String(), 'What it is for.'),
  ref: described(Type.String(), 'The branch or tag, as `refs/heads/<name>` or `refs/tags/<name>`.'),
  cron: described(Type.String(), 'When it runs, as five fields of cron.'),
  cron_timezone: described(
    Type.String(),
    'Time zone of `cron`, such as `Europe/Berlin` or `Berlin`; `UTC` by default.',
  ),
  next_run_at: described(NullableText, 'When it runs next; null = never.'),
  active: described(Type.Boolean(), 'Whether it runs; true by default.'),
  last_failure: described(
    NullableText,
    'Why the last run made no pipeline, or why the schedule was deactivated; null = nothing failed.',
  ),
  created_at: described(Type.String(), 'When it was made.'),
  updated_at: described(Type.String(), 'When it was last changed.'),
  owner: described(
    Nullable(PublicUser),
    'The user with whose rights its pipelines run; null when the account is gone.',
  ),
})
export type ScheduleSummary = Static<typeof ScheduleSummary>

export const ScheduleVariable = Type.Object({
  key: described(Type.String(), 'Name of the variable.'),
  variable_type: described(
    OneOf('env_var', 'file'),
    '`file`: the variable holds the path of a file with the value. `env_var` by default.',
  ),
  value: described(Type.String(), 'Its value.'),
  raw: described(Type.Boolean(), 'Whether references in the value are left alone; always false.'),
})
export type ScheduleVariable = Static<typeof ScheduleVariable>

/** A value for an input of the CI file (CI language, 5.2). */
export const ScheduleInput = Type.Object({
  name: described(Type.String(), 'Name of the input.'),
  value: described(Type.Unknown(), 'Its value.'),
})
export type ScheduleInput = Static<typeof ScheduleInput>

export const Schedule = Type.Object({
  ...ScheduleSummary.properties,
  last_pipeline: described(
    Nullable(
      Type.Object({
        id: described(Type.Integer(), 'Number of the pipeline.'),
        sha: described(Type.String(), 'Its commit.'),
        ref: described(Type.String(), 'Its branch or tag.'),
        status: described(Type.String(), 'How it stands.'),
      }),
    ),
    'The last pipeline that it started; null = none.',
  ),
  variables: described(
    Type.Optional(Type.Array(ScheduleVariable)),
    'Variables of its pipelines; for the owner and for maintainers only.',
  ),
  inputs: described(
    Type.Optional(Type.Array(ScheduleInput)),
    'Values for the inputs of the CI file; for the owner and for maintainers only.',
  ),
})
export type Schedule = Static<typeof Schedule>

export const ScheduleId = Type.Object({
  pipeline_schedule_id: described(Type.Integer(), 'Number of the schedule.'),
})

const Description = Type.String({ minLength: 1, maxLength: 255 })
const Ref = Type.String({ minLength: 1, maxLength: 1024 })
const CronText = Type.String({ minLength: 1, maxLength: 255 })
/** Those that are not named stay as they are; `destroy` removes one. */
const Inputs = Type.Array(
  Type.Object({
    name: described(Type.String({ minLength: 1, maxLength: 255 }), 'Name of an input of the CI file.'),
    value: described(Type.Optional(Type.Unknown()), 'Its value.'),
    destroy: described(Type.Optional(Type.Boolean()), 'Whether the value is taken away.'),
  }),
)
export type GivenInputs = Static<typeof Inputs>

const TimeZoneName = Type.String({ maxLength: 255 })

export const NewSchedule = Type.Object({
  description: described(Description, 'What it is for.'),
  ref: described(Ref, 'Branch or tag, short or full name.'),
  cron: described(CronText, 'When it is to run, as five fields of cron.'),
  cron_timezone: described(
    Type.Optional(TimeZoneName),
    'Time zone of `cron`, such as `Europe/Berlin` or `Berlin`; `UTC` by default.',
  ),
  active: described(Type.Optional(Type.Boolean()), 'Whether it runs; true by default.'),
  inputs: described(
    Type.Optional(Inputs),
    'Values for the inputs of the CI file; those that are not named stay as they are.',
  ),
})
export type NewSchedule = Static<typeof NewSchedule>

export const EditSchedule = Type.Object({
  ...ScheduleId.properties,
  description: described(Type.Optional(Description), 'What it is for.'),
  ref: described(Type.Optional(Ref), 'Branch or tag, short or full name.'),
  cron: described(Type.Optional(CronText), 'When it is to run, as five fields of cron.'),
  cron_timezone: described(Type.Optional(TimeZoneName), 'Name of the time zone of `cron`; `UTC` by default.'),
  active: described(Type.Optional(Type.Boolean()), 'Whether it runs; true by default.'),
  inputs: described(
    Type.Optional(Inputs),
    'Values for the inputs of the CI file; those that are not named stay as they are.',
  ),
})
export type EditSchedule = Static<typeof EditSchedule>

const VariableType = Type.Optional(OneOf('env_var', 'file'))

export const NewVariable = Type.Object({
  ...ScheduleId.properties,
  key: described(Type.String(), 'Name of the variable: at most 255 letters, digits and `_`.'),
  value: described(Type.String(), 'Its value.'),
  variable_type: described(
    VariableType,
    '`file`: the variable holds the path of a file with the value. `env_var` by default.',
  ),
})
export type NewVariable = Static<typeof NewVariable>

export const VariableKey = Type.Object({
  ...ScheduleId.properties,
  key: described(Type.String(), 'Name of the variable: at most 255 letters, digits and `_`.'),
})

export const EditVariable = Type.Object({
  ...VariableKey.properties,
  value: described(Type.Optional(Type.String()), 'Its new value; absent = as before.'),
  variable_type: described(
    VariableType,
    '`file`: the variable holds the path of a file with the value. `env_var` by default.',
  ),
})
export type EditVariable = Static<typeof EditVariable>
