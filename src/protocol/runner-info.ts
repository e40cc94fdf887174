import { type Static, Type } from 'typebox'

import { described } from './described.js'

/** Stands for the system id of a client that sends none (runner protocol, 1.2). */
export const LEGACY_SYSTEM_ID = '<legacy>'

/** What a runner can do; a missing key counts as false (runner protocol, 1.3). */
export const RunnerFeatures = Type.Record(Type.String(), Type.Unknown())

/** The `info` object that accompanies register, verify, job request and job update (runner protocol, 1.3). */
export const RunnerInfo = Type.Object({
  name: described(Type.Optional(Type.String()), 'Name of the program.'),
  version: described(Type.Optional(Type.String()), 'Its version.'),
  revision: described(Type.Optional(Type.String()), 'Its revision.'),
  platform: described(Type.Optional(Type.String()), 'Operating system.'),
  architecture: described(Type.Optional(Type.String()), 'Processor architecture.'),
  executor: described(Type.Optional(Type.String()), 'How it runs jobs.'),
  shell: described(Type.Optional(Type.String()), 'The shell of scripts.'),
  features: described(Type.Optional(RunnerFeatures), 'What it can do, by name; what is missing it cannot.'),
  config: described(
    Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    'Settings of it that the server may know.',
  ),
  labels: described(
    Type.Optional(Type.Record(Type.String(), Type.String())),
    'Labels that its configuration gives it.',
  ),
})
export type RunnerInfo = Static<typeof RunnerInfo>
