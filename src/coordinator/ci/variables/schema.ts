import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { Nullable, OneOf } from '../../http/parameters/types.js'

/** A variable of the instance. */
export const InstanceVariable = Type.Object({
  key: described(Type.String(), 'Name of the variable.'),
  value: described(Nullable(Type.String()), 'Its value; null when it is hidden.'),
  variable_type: described(
    OneOf('env_var', 'file'),
    '`file`: the variable holds the path of a file with the value. `env_var` by default.',
  ),
  protected: described(Type.Boolean(), 'Whether only jobs of protected branches and tags see it.'),
  masked: described(Type.Boolean(), 'Whether its value is replaced in logs.'),
  hidden: described(Type.Boolean(), 'Whether its value is never shown again.'),
  raw: described(Type.Boolean(), 'Whether references to other variables in the value are left alone.'),
  description: described(Nullable(Type.String()), 'What it is for; null = nothing is said.'),
})
export type InstanceVariable = Static<typeof InstanceVariable>

/** A variable of a group or a project. */
export const Variable = Type.Object({
  ...InstanceVariable.properties,
  environment_scope: described(
    Type.String(),
    'Environments whose jobs see it; `*` stands for any characters.',
  ),
})
export type Variable = Static<typeof Variable>

const attributes = {
  variable_type: described(
    Type.Optional(OneOf('env_var', 'file')),
    '`file`: the variable holds the path of a file with the value. `env_var` by default.',
  ),
  protected: described(
    Type.Optional(Type.Boolean()),
    'Whether only jobs of protected branches and tags see it; false by default.',
  ),
  masked: described(
    Type.Optional(Type.Boolean()),
    'Whether its value is replaced in logs, for which it must be of a kind that can be; false by default.',
  ),
  raw: described(
    Type.Optional(Type.Boolean()),
    'Whether references to other variables in the value are left alone; false by default.',
  ),
  environment_scope: described(
    Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    'Environments whose jobs see it; `*`, the default, stands for any characters.',
  ),
  description: described(
    Type.Optional(Nullable(Type.String({ maxLength: 255 }))),
    'What it is for; null = nothing.',
  ),
}

export const CreateVariable = Type.Object({
  key: described(Type.String(), 'Its name: at most 255 letters, digits and `_`.'),
  value: described(Type.String(), 'Its value.'),
  masked_and_hidden: described(
    Type.Optional(Type.Boolean()),
    'Whether it is masked and its value never shown again, which cannot be taken back.',
  ),
  ...attributes,
})
export type CreateVariable = Static<typeof CreateVariable>

const Filter = Type.Optional(
  Type.Object({ environment_scope: described(Type.Optional(Type.String()), 'Its environment scope.') }),
)

/** `filter[environment_scope]` says which one of several with the same key is meant. */
export const OneVariable = Type.Object({
  key: described(Type.String(), 'Name of the variable.'),
  filter: described(Filter, 'Which one is meant of several with this name.'),
})
export type OneVariable = Static<typeof OneVariable>

export const EditVariable = Type.Object({
  key: described(Type.String(), 'Name of the variable.'),
  filter: described(Filter, 'Which one is meant of several with this name.'),
  value: described(Type.Optional(Type.String()), 'Its new value; absent = as before.'),
  ...attributes,
})
export type EditVariable = Static<typeof EditVariable>
