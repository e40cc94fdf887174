import { type Static, Type } from 'typebox'

import { ReportedHost } from '../../../protocol/runner-info.js'
import { RunnerAccessLevel } from '../../../protocol/runner-registration.js'
import { described } from '../../http/parameters/described.js'
import { NullableText, OneOf } from '../../http/parameters/types.js'
import { RunnerManagerBrief } from '../../http/presenters/present-runner-manager.js'
import { runnerFields } from '../queue/present-runner-brief.js'

const NullableInteger = Type.Union([Type.Integer(), Type.Null()])

export const RunnerTypeName = Type.Union([
  Type.Literal('instance_type'),
  Type.Literal('group_type'),
  Type.Literal('project_type'),
])

/** API, I6. */
export const RunnerSummary = Type.Object({
  ...runnerFields,
  runner_type: described(RunnerTypeName, 'Scope of the runner: the instance, a group or projects.'),
  name: described(NullableText, 'Name of the runner program; null before its first contact.'),
  online: described(
    Type.Union([Type.Boolean(), Type.Null()]),
    'Whether the runner connected within the last two hours; null if it never connected.',
  ),
  status: described(
    Type.String(),
    'Status: `online`, `offline`, `stale` (no contact for seven days), `never_contacted`, or `paused`, which takes precedence.',
  ),
  created_by: described(
    Type.Union([Type.Unknown(), Type.Null()]),
    'User who created the runner; null if it was registered with a token.',
  ),
  created_at: described(Type.String(), 'Time of creation.'),
  job_execution_status: described(
    Type.String(),
    'Job status: `active` while the runner has a job, else `idle`.',
  ),
})
export type RunnerSummary = Static<typeof RunnerSummary>

export const RunnerProject = Type.Object({
  id: described(Type.Integer(), 'ID of the project.'),
  name: described(Type.String(), 'Name of the project.'),
  name_with_namespace: described(
    Type.String(),
    'Full name of the project, with the names of its groups, separated by ` / `.',
  ),
  path: described(Type.String(), 'Path of the project, without its namespace.'),
  path_with_namespace: described(Type.String(), 'Full path of the project.'),
})
export type RunnerProject = Static<typeof RunnerProject>

export const RunnerGroup = Type.Object({
  id: described(Type.Integer(), 'ID of the group.'),
  name: described(Type.String(), 'Name of the group.'),
  web_url: described(Type.String(), 'URL of the group page.'),
})
export type RunnerGroup = Static<typeof RunnerGroup>

export const RunnerDetails = Type.Object({
  ...RunnerSummary.properties,
  tag_list: described(Type.Array(Type.String()), 'Tags of the runner.'),
  run_untagged: described(Type.Boolean(), 'Whether the runner takes jobs without tags.'),
  locked: described(Type.Boolean(), 'Whether the runner cannot be assigned to other projects.'),
  maximum_timeout: described(
    NullableInteger,
    'Maximum job duration, in seconds; null for the timeout of the job and its project.',
  ),
  access_level: described(
    RunnerAccessLevel,
    'Access level; with `ref_protected`, the runner takes only jobs of protected branches and tags.',
  ),
  version: described(NullableText, 'Version of the runner program; null before its first contact.'),
  revision: described(NullableText, 'Revision of the runner program; null before its first contact.'),
  platform: described(NullableText, 'Operating system; null before the first contact.'),
  architecture: described(NullableText, 'Processor architecture; null before the first contact.'),
  contacted_at: described(
    NullableText,
    'Time of the last contact, accurate to a few minutes; null if the runner never connected.',
  ),
  maintenance_note: described(NullableText, 'Maintenance note; null if there is none.'),
  weight: described(
    Type.Integer(),
    'Priority: of several waiting runners, the one with the highest value gets the job (beyond the reference).',
  ),
  projects: described(Type.Array(RunnerProject), 'Projects of the runner; only for project runners.'),
  groups: described(Type.Array(RunnerGroup), 'Group of the runner; only for group runners.'),
})
export type RunnerDetails = Static<typeof RunnerDetails>

export const RunnerManager = Type.Object({
  ...RunnerManagerBrief.properties,
  job_execution_status: described(
    Type.String(),
    'Job status: `active` while the runner has a job, else `idle`.',
  ),
  hosts: described(
    Type.Array(ReportedHost),
    'Docker hosts that run its jobs, as it reported them last; empty if it runs them on one engine.',
  ),
})
export type RunnerManager = Static<typeof RunnerManager>

/** Filters of every list of runners; `scope` is the older form of `status` and `type`. */
const RunnerFilters = Type.Object({
  scope: described(
    Type.Optional(Type.String()),
    'Deprecated form of `status`; where all runners are listed also `specific` and `shared`.',
  ),
  type: described(Type.Optional(RunnerTypeName), 'Scope to filter by.'),
  status: described(
    Type.Optional(OneOf('active', 'paused', 'online', 'offline', 'stale', 'never_contacted')),
    'Status to filter by.',
  ),
  paused: described(
    Type.Optional(Type.Boolean()),
    'Whether to return only paused runners, or only runners that are not paused.',
  ),
  tag_list: described(
    Type.Optional(Type.Array(Type.String())),
    'Tags to filter by; a runner must have all of them.',
  ),
  version_prefix: described(Type.Optional(Type.String()), 'Prefix of the version to filter by.'),
})
type RunnerFilters = Static<typeof RunnerFilters>

/** Filters of a list of runners, and what its records contain. */
export const RunnerListParams = Type.Object({
  ...RunnerFilters.properties,
  search: described(
    Type.Optional(Type.String({ maxLength: 1024 })),
    'Part of the description to filter by (beyond the reference).',
  ),
  with_details: described(
    Type.Optional(Type.Boolean()),
    'Whether to include settings, version, last contact and number of jobs (beyond the reference).',
  ),
})
export type RunnerListParams = Static<typeof RunnerListParams>

/** What `with_details` adds to a record of a list. */
export const ListedRunnerDetails = Type.Object({
  ...Type.Pick(RunnerDetails, [
    ...(['tag_list', 'run_untagged', 'locked', 'access_level', 'weight'] as const),
    ...(['version', 'platform', 'architecture', 'contacted_at', 'maintenance_note'] as const),
  ]).properties,
  running_jobs: described(Type.Integer(), 'Number of jobs that the runner runs.'),
  concurrency: described(
    NullableInteger,
    'Number of jobs that the online machines of the runner run at a time at most; null if one of them does not report it, or none is online.',
  ),
  group_id: described(NullableInteger, 'ID of the group of a group runner; null for others.'),
})
export type ListedRunnerDetails = Static<typeof ListedRunnerDetails>

/** A runner in a list. */
export const ListedRunner = Type.Object({
  ...RunnerSummary.properties,
  ...Type.Partial(ListedRunnerDetails).properties,
})
export type ListedRunner = Static<typeof ListedRunner>

/** A runner in a list with `with_details`. */
export type DetailedRunner = RunnerSummary & ListedRunnerDetails

const runnersThat = (are: string) => Type.Integer({ description: `Number of runners that ${are}.` })

/** Runners of a list by their status. */
export const RunnerCounts = Type.Object({
  total: described(Type.Integer(), 'Number of all runners: the sum of the statuses.'),
  online: runnersThat('are online'),
  offline: runnersThat('are offline, but not stale'),
  stale: runnersThat('are stale'),
  never_contacted: runnersThat('never connected'),
  paused: runnersThat('are paused'),
  busy: runnersThat('have a job, whatever their status is'),
})
export type RunnerCounts = Static<typeof RunnerCounts>

/** Settings of a runner when it is created or changed. */
export const RunnerSettings = Type.Object({
  description: described(Type.Optional(Type.String({ maxLength: 1024 })), 'Description of the runner.'),
  active: described(
    Type.Optional(Type.Boolean()),
    'Deprecated opposite of `paused`; only one of the two may be given.',
  ),
  paused: described(Type.Optional(Type.Boolean()), 'Whether the runner is paused and gets no jobs.'),
  tag_list: described(Type.Optional(Type.Array(Type.String())), 'Tags of the runner: the complete list.'),
  run_untagged: described(Type.Optional(Type.Boolean()), 'Whether the runner takes jobs without tags.'),
  locked: described(
    Type.Optional(Type.Boolean()),
    'Whether the runner cannot be assigned to other projects.',
  ),
  access_level: described(
    Type.Optional(RunnerAccessLevel),
    'Access level; with `ref_protected`, the runner takes only jobs of protected branches and tags.',
  ),
  maximum_timeout: described(
    Type.Optional(NullableInteger),
    'Maximum job duration, in seconds, at least 600; null for no limit.',
  ),
  maintenance_note: described(Type.Optional(Type.String({ maxLength: 1024 })), 'Maintenance note.'),
  maintainer_note: described(
    Type.Optional(Type.String({ maxLength: 1024 })),
    'Deprecated name of `maintenance_note`.',
  ),
  weight: described(
    Type.Optional(Type.Integer({ minimum: -100, maximum: 100 })),
    'Priority: of several waiting runners, the one with the highest value gets the job (beyond the reference).',
  ),
})
export type RunnerSettings = Static<typeof RunnerSettings>

export const NewToken = Type.Object({
  token: described(Type.String(), 'New token; shown only once.'),
  token_expires_at: described(
    Type.Optional(NullableText),
    'Expiry time of the token; null if it does not expire.',
  ),
})

/** The jobs that a runner may take now. */
export const OwnQueue = Type.Object({
  count: described(Type.Integer(), 'Number of waiting jobs that the runner may take.'),
})
