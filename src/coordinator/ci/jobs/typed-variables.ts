import { type Static, Type } from 'typebox'

import { invalidRecord } from '../../http/errors.js'
import { described } from '../../http/parameters/described.js'

/** Variables that users set when they start a job (API, I4). */
export const TypedVariables = Type.Array(
  Type.Object({
    key: described(Type.String(), 'Name of the variable: at most 255 letters, digits and `_`.'),
    value: described(Type.String(), 'Value of the variable.'),
  }),
)
export type TypedVariables = Static<typeof TypedVariables>

const KEY = /^[a-zA-Z0-9_]{1,255}$/

/** The variables in stored form. Throws 400 for a key that is not a valid shell name or occurs twice. */
export function typedVariables(variables: TypedVariables = []): TypedVariables {
  const keys = variables.map(({ key }) => key)
  const wrong = keys.find((key) => !KEY.test(key))
  if (wrong !== undefined) {
    throw invalidRecord({ 'job_variables.key': [`'${wrong}' can contain only letters, digits and '_'.`] })
  }
  const twice = keys.find((key, index) => keys.indexOf(key) !== index)
  if (twice !== undefined) throw invalidRecord({ job_variables: [`have duplicate values (${twice})`] })
  return variables
}
