import { type Static, Type } from 'typebox'

import { described, flag, text } from '../../http/parameters/described.js'
import { DateTime, Nullable, OneOf } from '../../http/parameters/types.js'

const count = (description: string) => Type.Integer({ description })
const bytes = (description: string) => Type.Integer({ description: `${description}, in bytes` })

const WARNINGS = [
  ...(['external_url_missing', 'external_url_http', 'no_mail', 'disk_nearly_full'] as const),
  ...(['task_failed', 'hooks_disabled', 'versions_differ'] as const),
] as const

/** State of the whole installation, for administrators. */
export const AdminOverview = Type.Object({
  version: text('Version of the coordinator that responds.'),
  up_since: described(
    Nullable(DateTime()),
    'Since when at least one coordinator has run; null before the first record.',
  ),
  external_url: text('URL that clients use.'),
  coordinators: Type.Array(
    Type.Object({
      id: text('ID of the process, generated at its start.'),
      host: text('Name of its machine.'),
      pid: count('Process ID.'),
      version: text('Version.'),
      streams: count('Open live streams.'),
      memory_bytes: bytes('Memory'),
      started_at: described(DateTime(), 'Time of its start.'),
      seen_at: described(DateTime(), 'Time of its last sign of life.'),
      alive: flag('Whether it runs; one that ended unexpectedly is shown for a day.'),
      current: flag('Whether it has sent this response.'),
    }),
    { description: 'Coordinators on this store, the oldest first.' },
  ),
  jobs: Type.Object(
    {
      waiting: count('Jobs that wait for a runner.'),
      oldest_at: described(Nullable(DateTime()), 'Since when the oldest one waits; null if no job waits.'),
      running: count('Running jobs.'),
    },
    { description: 'Jobs' },
  ),
  runners: Type.Object(
    {
      total: count('All runners.'),
      online: count('Runners in contact that are not paused.'),
      busy: count('Runners with a job.'),
      paused: count('Paused runners.'),
    },
    { description: 'Runners' },
  ),
  live: Type.Object(
    {
      streams: count('Open live streams of all coordinators.'),
      sessions: count('Browser sessions that have not ended.'),
    },
    { description: 'Open pages' },
  ),
  counts: Type.Object(
    {
      users: count('Users.'),
      pending_users: count('Users who wait for the approval of an administrator.'),
      groups: count('Groups.'),
      projects: count('Projects.'),
    },
    { description: 'What the instance has' },
  ),
  storage: described(
    Nullable(
      Type.Object({
        measured_at: described(DateTime(), 'Time of the measurement.'),
        logs: bytes('Logs of jobs'),
        artifacts: bytes('Artifacts'),
        caches: bytes('Caches'),
        repositories: bytes('Repositories, by their statistics'),
        lfs: bytes('Git LFS objects'),
      }),
    ),
    'Sizes by kind, measured every six hours; null before the first time.',
  ),
  disk: Type.Object(
    { total: bytes('Size'), free: bytes('Free space for the coordinator') },
    { description: 'File system of the data folder of the coordinator that responds' },
  ),
  database: Type.Object(
    {
      kind: described(OneOf('sqlite', 'postgres'), 'Kind of the store.'),
      version: text('Version of the database.'),
      size: bytes('Size'),
    },
    { description: 'Store' },
  ),
  tasks: Type.Array(
    Type.Object({
      name: text('Name.'),
      every: Type.Number({
        description: 'Time from the end of one run to the start of the next, in seconds',
      }),
      started_at: described(Nullable(DateTime()), 'Start of the last run; null before the first one.'),
      duration: described(
        Nullable(Type.Number()),
        'Duration of the last run that has ended, in seconds; null before that.',
      ),
      running: flag('Whether it runs now.'),
      error: described(Nullable(Type.String()), 'Why the last run failed; null if it did not.'),
    }),
    { description: 'Periodic tasks of the coordinator that responds, by name.' },
  ),
  webhooks: Type.Object(
    {
      pending: count('Deliveries that are due or wait for another attempt.'),
      retrying: count('Those of them that have failed before.'),
      resting: count('Webhooks that are disabled for a time because they failed.'),
      disabled: count('Webhooks that are disabled because they failed too often.'),
      failing: Type.Array(
        Type.Object({
          id: Type.Integer({ description: 'ID of the webhook' }),
          name: described(Nullable(Type.String()), 'Name; null without one.'),
          kind: described(
            OneOf('project', 'group', 'system', 'integration'),
            'What it belongs to: a project, a group, the instance, or an integration of a project.',
          ),
          path: described(
            Nullable(Type.String()),
            'Full path of the project or group; null for the instance.',
          ),
        }),
        { description: 'Those that are disabled, for a time or not, at most 20.' },
      ),
    },
    { description: 'Deliveries of webhooks' },
  ),
  mails: Type.Object(
    {
      enabled: flag('Whether mails are sent.'),
      pending: count('Mails that are not sent yet.'),
      retrying: count('Those of them whose sending has failed before.'),
    },
    { description: 'Mails' },
  ),
  set_up_finished: flag(
    'Whether an administrator has ended the set-up, or the installation is older than it.',
  ),
  warnings: Type.Array(
    Type.Object({
      code: described(OneOf(...WARNINGS), 'Kind of the warning.'),
      message: text('What is wrong, and what to do.'),
    }),
    { description: 'What an administrator should look at.' },
  ),
})
export type AdminOverview = Static<typeof AdminOverview>
