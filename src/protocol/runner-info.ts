import { type Static, Type } from 'typebox'

/** Stands for the system id of a client that sends none (runner protocol, 1.2). */
export const LEGACY_SYSTEM_ID = '<legacy>'

/** What a runner can do; a missing key counts as false (runner protocol, 1.3). */
export const RunnerFeatures = Type.Record(Type.String(), Type.Unknown())

/** The `info` object that accompanies register, verify, job request and job update (runner protocol, 1.3). */
export const RunnerInfo = Type.Object({
  name: Type.Optional(Type.String()),
  version: Type.Optional(Type.String()),
  revision: Type.Optional(Type.String()),
  platform: Type.Optional(Type.String()),
  architecture: Type.Optional(Type.String()),
  executor: Type.Optional(Type.String()),
  shell: Type.Optional(Type.String()),
  features: Type.Optional(RunnerFeatures),
  config: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  labels: Type.Optional(Type.Record(Type.String(), Type.String())),
})
export type RunnerInfo = Static<typeof RunnerInfo>
