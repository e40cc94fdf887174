import { type Static, Type } from 'typebox'

import { RunnerAccessLevel } from '../../../protocol/runner-registration.js'
import { described } from '../../http/parameters/described.js'
import { NullableText, OneOf } from '../../http/parameters/types.js'
import { RunnerManagerBrief } from '../../http/presenters/present-runner-manager.js'

const NullableInteger = Type.Union([Type.Integer(), Type.Null()])

export const RunnerTypeName = Type.Union([
  Type.Literal('instance_type'),
  Type.Literal('group_type'),
  Type.Literal('project_type'),
])

/** API, I6. */
export const RunnerSummary = Type.Object({
  id: described(Type.Integer(), 'Number of the runner.'),
  description: described(NullableText, 'What its users call it; null = nothing.'),
  ip_address: described(NullableText, 'Address it was last heard from; null = never.'),
  active: described(Type.Boolean(), 'False while it is paused; the older form of `paused`.'),
  paused: described(Type.Boolean(), 'Whether it is given no jobs.'),
  is_shared: described(Type.Boolean(), 'Whether it works for the whole instance.'),
  runner_type: described(RunnerTypeName, 'Whom it works for: the instance, a group or projects.'),
  name: described(NullableText, 'Name of the program; null until it was heard from.'),
  online: described(
    Type.Union([Type.Boolean(), Type.Null()]),
    'Whether it was heard from in the last two hours; null = never heard from.',
  ),
  status: described(
    Type.String(),
    '`online`, `offline`, `stale` (silent for seven days), `never_contacted`, or `paused`, which comes first.',
  ),
  created_by: described(
    Type.Union([Type.Unknown(), Type.Null()]),
    'The user who made it; null when it was registered with a token.',
  ),
  created_at: described(Type.String(), 'When it was made.'),
  job_execution_status: described(Type.String(), '`active` while it has a job, else `idle`.'),
})
export type RunnerSummary = Static<typeof RunnerSummary>

export const RunnerProject = Type.Object({
  id: described(Type.Integer(), 'Number of the project.'),
  name: described(Type.String(), 'Name of the project.'),
  name_with_namespace: described(
    Type.String(),
    'Names of the namespaces and of the project, with ` / ` between.',
  ),
  path: described(Type.String(), "Last part of the project's address."),
  path_with_namespace: described(Type.String(), 'Full path of the project.'),
})
export type RunnerProject = Static<typeof RunnerProject>

export const RunnerGroup = Type.Object({
  id: described(Type.Integer(), 'Number of the group.'),
  name: described(Type.String(), 'Name of the group.'),
  web_url: described(Type.String(), 'Page of the group.'),
})
export type RunnerGroup = Static<typeof RunnerGroup>

export const RunnerDetails = Type.Object({
  ...RunnerSummary.properties,
  tag_list: described(Type.Array(Type.String()), 'Tags whose jobs it takes.'),
  run_untagged: described(Type.Boolean(), 'Whether it takes jobs without tags.'),
  locked: described(Type.Boolean(), 'Whether it can be enabled in no further project.'),
  maximum_timeout: described(
    NullableInteger,
    'Most seconds that a job may run on it; null = as long as the job and its project say.',
  ),
  access_level: described(
    RunnerAccessLevel,
    '`ref_protected`: takes only jobs of protected branches and tags.',
  ),
  version: described(NullableText, 'Version of the program; null until it was heard from.'),
  revision: described(NullableText, 'Revision of the program; null until it was heard from.'),
  platform: described(NullableText, 'Operating system; null until it was heard from.'),
  architecture: described(NullableText, 'Processor architecture; null until it was heard from.'),
  contacted_at: described(NullableText, 'When it was last heard from, to a few minutes; null = never.'),
  maintenance_note: described(NullableText, 'Notes for those who maintain it; null = none.'),
  weight: described(
    Type.Integer(),
    'Of several runners that wait for a job, the one with the greatest gets it (beyond the reference).',
  ),
  projects: described(Type.Array(RunnerProject), 'Projects that it works for; only of a project runner.'),
  groups: described(Type.Array(RunnerGroup), 'The group that it works for; only of a group runner.'),
})
export type RunnerDetails = Static<typeof RunnerDetails>

export const RunnerManager = Type.Object({
  ...RunnerManagerBrief.properties,
  job_execution_status: described(Type.String(), '`active` while it has a job, else `idle`.'),
})
export type RunnerManager = Static<typeof RunnerManager>

/** Filters of every list of runners; `scope` is the older form of `status` and `type`. */
export const RunnerFilters = Type.Object({
  scope: described(
    Type.Optional(Type.String()),
    'Older form of `status`; where all runners are listed also `specific` and `shared`.',
  ),
  type: described(Type.Optional(RunnerTypeName), 'Only those that work for such.'),
  status: described(
    Type.Optional(OneOf('active', 'paused', 'online', 'offline', 'stale', 'never_contacted')),
    'Only those that are so.',
  ),
  paused: described(Type.Optional(Type.Boolean()), 'Only those that are paused, or only those that are not.'),
  tag_list: described(Type.Optional(Type.Array(Type.String())), 'Only those that have all of these tags.'),
  version_prefix: described(Type.Optional(Type.String()), 'Only those whose version begins so.'),
})
export type RunnerFilters = Static<typeof RunnerFilters>

/** What may be said of a runner when it is made or changed. */
export const RunnerSettings = Type.Object({
  description: described(Type.Optional(Type.String({ maxLength: 1024 })), 'What its users call it.'),
  active: described(
    Type.Optional(Type.Boolean()),
    'Older form of `paused`, turned round; only one of them may be given.',
  ),
  paused: described(Type.Optional(Type.Boolean()), 'Whether it is to be given no jobs.'),
  tag_list: described(
    Type.Optional(Type.Array(Type.String())),
    'Tags whose jobs it takes: the complete list.',
  ),
  run_untagged: described(Type.Optional(Type.Boolean()), 'Whether it takes jobs without tags.'),
  locked: described(Type.Optional(Type.Boolean()), 'Whether it can be enabled in no further project.'),
  access_level: described(
    Type.Optional(RunnerAccessLevel),
    '`ref_protected`: takes only jobs of protected branches and tags.',
  ),
  maximum_timeout: described(
    Type.Optional(NullableInteger),
    'Most seconds that a job may run on it, at least 600; null = no limit of its own.',
  ),
  maintenance_note: described(
    Type.Optional(Type.String({ maxLength: 1024 })),
    'Notes for those who maintain it.',
  ),
  weight: described(
    Type.Optional(Type.Integer({ minimum: -100, maximum: 100 })),
    'Of several runners that wait for a job, the one with the greatest gets it (beyond the reference).',
  ),
})
export type RunnerSettings = Static<typeof RunnerSettings>

export const NewToken = Type.Object({
  token: described(Type.String(), 'The new token, which is not shown again.'),
  token_expires_at: described(Type.Optional(NullableText), 'When the token ends; null = never.'),
})
