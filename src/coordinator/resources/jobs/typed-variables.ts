import { type Static, Type } from 'typebox'

import { badRequest, invalidRecord } from '../../http/errors.js'

/** What people type in when they start a job (API gaps, I4). */
export const TypedVariables = Type.Array(Type.Object({ key: Type.String(), value: Type.String() }))
export type TypedVariables = Static<typeof TypedVariables>

export const JobInputs = Type.Record(Type.String(), Type.Unknown())

const KEY = /^[a-zA-Z0-9_]{1,255}$/

/** The variables as they are stored; throws 400 for a key that no shell could read, or that is there twice. */
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

/** Jobs declare no inputs here: a value for one would have no effect, so that it is refused (CI language, 5.4). */
export function refuseInputs(inputs: Record<string, unknown> = {}): void {
  const [name] = Object.keys(inputs)
  if (name !== undefined) throw badRequest(`The job declares no input '${name}'. Use job variables instead`)
}
