import { type Static, Type } from 'typebox'

/** An element of the JSON in `run` of a job (runner protocol, 2.4). It has one of `script`, `step` and `func`. */
export const NativeStep = Type.Object({
  name: Type.String(),
  script: Type.Optional(Type.String()),
  step: Type.Optional(Type.Unknown()),
  func: Type.Optional(Type.Unknown()),
  env: Type.Optional(Type.Record(Type.String(), Type.String())),
  inputs: Type.Optional(Type.Unknown()),
})
export type NativeStep = Static<typeof NativeStep>
