import { type Static, Type } from 'typebox'

import { described } from './described.js'

/** System ID of a client that sends none (runner protocol, 1.2). */
export const LEGACY_SYSTEM_ID = '<legacy>'

/** Features of a runner. A missing key counts as false (runner protocol, 1.3). */
const RunnerFeatures = Type.Record(Type.String(), Type.Unknown())

/** The `info` object of register, verify, job request and job update (runner protocol, 1.3). */
export const RunnerInfo = Type.Object({
  name: described(Type.Optional(Type.String()), 'Name of the program.'),
  version: described(Type.Optional(Type.String()), 'Its version.'),
  revision: described(Type.Optional(Type.String()), 'Its revision.'),
  platform: described(Type.Optional(Type.String()), 'Operating system.'),
  architecture: described(Type.Optional(Type.String()), 'Processor architecture.'),
  executor: described(Type.Optional(Type.String()), 'Executor.'),
  shell: described(Type.Optional(Type.String()), 'Shell for scripts.'),
  features: described(Type.Optional(RunnerFeatures), 'Features by name; missing ones are not supported.'),
  config: described(
    Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    'Settings that the server may know.',
  ),
  labels: described(
    Type.Optional(Type.Record(Type.String(), Type.String())),
    'Labels from the configuration of the runner.',
  ),
})
export type RunnerInfo = Static<typeof RunnerInfo>

/** A machine that runs jobs for a runner: an item of `config.hosts` in `info`, which the reference does not have. */
export const ReportedHost = Type.Object({
  name: described(Type.String(), 'Name of the host.'),
  state: described(Type.String(), '`online`, `offline`, `unknown` or `removed`.'),
  running: described(Type.Integer(), 'Number of running jobs.'),
  concurrent: described(Type.Integer(), 'Maximum number of concurrent jobs.'),
  weight: described(Type.Integer(), 'Share of jobs, compared with the other hosts.'),
  error: described(Type.Union([Type.String(), Type.Null()]), 'Last problem; null if there was none.'),
  error_at: described(Type.Union([Type.String(), Type.Null()]), 'When it occurred; null if there was none.'),
})
export type ReportedHost = Static<typeof ReportedHost>
