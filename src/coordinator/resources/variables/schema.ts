import { type Static, Type } from 'typebox'

import { Nullable, OneOf } from '../../http/parameters/types.js'

/** A variable of the instance. */
export const InstanceVariable = Type.Object({
  key: Type.String(),
  /** Null when hidden. */
  value: Nullable(Type.String()),
  variable_type: OneOf('env_var', 'file'),
  protected: Type.Boolean(),
  masked: Type.Boolean(),
  hidden: Type.Boolean(),
  raw: Type.Boolean(),
  description: Nullable(Type.String()),
})
export type InstanceVariable = Static<typeof InstanceVariable>

/** A variable of a group or a project. */
export const Variable = Type.Object({
  ...InstanceVariable.properties,
  environment_scope: Type.String(),
})
export type Variable = Static<typeof Variable>

const attributes = {
  variable_type: Type.Optional(OneOf('env_var', 'file')),
  protected: Type.Optional(Type.Boolean()),
  masked: Type.Optional(Type.Boolean()),
  raw: Type.Optional(Type.Boolean()),
  environment_scope: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  description: Type.Optional(Nullable(Type.String({ maxLength: 255 }))),
}

export const CreateVariable = Type.Object({
  key: Type.String(),
  value: Type.String(),
  /** Masked, and never shown again; cannot be taken back. */
  masked_and_hidden: Type.Optional(Type.Boolean()),
  ...attributes,
})
export type CreateVariable = Static<typeof CreateVariable>

const Filter = Type.Optional(Type.Object({ environment_scope: Type.Optional(Type.String()) }))

/** `filter[environment_scope]` says which one of several with the same key is meant. */
export const OneVariable = Type.Object({ key: Type.String(), filter: Filter })
export type OneVariable = Static<typeof OneVariable>

export const EditVariable = Type.Object({
  key: Type.String(),
  filter: Filter,
  value: Type.Optional(Type.String()),
  ...attributes,
})
export type EditVariable = Static<typeof EditVariable>
