import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { Nullable, OneOf } from '../../http/parameters/types.js'

/** A variable of the instance. */
export const InstanceVariable = Type.Object({
  key: described(Type.String(), 'Name of the variable.'),
  value: described(Nullable(Type.String()), 'Value of the variable; null if hidden.'),
  variable_type: described(
    OneOf('env_var', 'file'),
    'Type of the variable; `file` stores the value in a file and sets the variable to its path. `env_var` by default.',
  ),
  protected: described(
    Type.Boolean(),
    'Whether the variable is available only to jobs of protected branches and tags.',
  ),
  masked: described(Type.Boolean(), 'Whether the value is masked in job logs.'),
  hidden: described(Type.Boolean(), 'Whether the value is never shown again.'),
  raw: described(Type.Boolean(), 'Whether references to other variables in the value are not expanded.'),
  description: described(Nullable(Type.String()), 'Description; null if there is none.'),
})
export type InstanceVariable = Static<typeof InstanceVariable>

/** A variable of a group or a project. */
export const Variable = Type.Object({
  ...InstanceVariable.properties,
  environment_scope: described(Type.String(), 'Environment scope; `*` matches any characters.'),
})
export type Variable = Static<typeof Variable>

/** A variable without its value. */
export const VariableSummary = Type.Omit(Variable, ['value'])
export type VariableSummary = Static<typeof VariableSummary>

/** A variable of the instance or of a group above, without its value. */
export const InheritedVariable = Type.Object({
  ...VariableSummary.properties,
  group_name: described(
    Nullable(Type.String()),
    'Name of the group that has the variable; null for the instance.',
  ),
  group_full_path: described(Nullable(Type.String()), 'Full path of that group; null for the instance.'),
  overridden: described(
    Type.Boolean(),
    'Whether a variable with the same name that is nearer to the project applies to all of its jobs instead.',
  ),
})
export type InheritedVariable = Static<typeof InheritedVariable>

const attributes = {
  variable_type: described(
    Type.Optional(OneOf('env_var', 'file')),
    'Type of the variable; `file` stores the value in a file and sets the variable to its path. `env_var` by default.',
  ),
  protected: described(
    Type.Optional(Type.Boolean()),
    'Whether the variable is available only to jobs of protected branches and tags; false by default.',
  ),
  masked: described(
    Type.Optional(Type.Boolean()),
    'Whether the value is masked in job logs, which only some values allow; false by default.',
  ),
  raw: described(
    Type.Optional(Type.Boolean()),
    'Whether references to other variables in the value are not expanded; false by default.',
  ),
  environment_scope: described(
    Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    'Environment scope; `*`, the default, matches any characters.',
  ),
  description: described(
    Type.Optional(Nullable(Type.String({ maxLength: 255 }))),
    'Description; null if there is none.',
  ),
}

export const CreateVariable = Type.Object({
  key: described(Type.String(), 'Name of the variable: at most 255 letters, digits and `_`.'),
  value: described(Type.String(), 'Value of the variable.'),
  masked_and_hidden: described(
    Type.Optional(Type.Boolean()),
    'Whether the value is masked and never shown again; this cannot be undone.',
  ),
  ...attributes,
})
export type CreateVariable = Static<typeof CreateVariable>

const Filter = Type.Optional(
  Type.Object({ environment_scope: described(Type.Optional(Type.String()), 'Environment scope.') }),
)

/** `filter[environment_scope]` selects one of several variables with the same key. */
export const OneVariable = Type.Object({
  key: described(Type.String(), 'Name of the variable.'),
  filter: described(Filter, 'Environment scope that selects one of several variables with this name.'),
})
export type OneVariable = Static<typeof OneVariable>

export const EditVariable = Type.Object({
  key: described(Type.String(), 'Name of the variable.'),
  filter: described(Filter, 'Environment scope that selects one of several variables with this name.'),
  value: described(Type.Optional(Type.String()), 'New value; unchanged if absent.'),
  ...attributes,
})
export type EditVariable = Static<typeof EditVariable>
