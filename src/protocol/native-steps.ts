import { type Static, Type } from 'typebox'

/** What `run` of a job holds as JSON (runner protocol, 2.4): one of `script`, `step` and `func` is there. */
export const NativeStep = Type.Object({
  name: Type.String(),
  script: Type.Optional(Type.String()),
  step: Type.Optional(Type.Unknown()),
  func: Type.Optional(Type.Unknown()),
  env: Type.Optional(Type.Record(Type.String(), Type.String())),
  inputs: Type.Optional(Type.Unknown()),
})
export type NativeStep = Static<typeof NativeStep>
