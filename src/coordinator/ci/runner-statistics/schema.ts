import { type Static, type TSchema, Type } from 'typebox'

import { described, optional, text } from '../../http/parameters/described.js'
import { DateTime, Nullable, OneOf } from '../../http/parameters/types.js'

const RunnerTypeName = OneOf('instance_type', 'group_type', 'project_type')

const From = optional(DateTime(), 'Start of the period; three hours before `to` if absent.')
const To = optional(DateTime(), 'End of the period; now if absent.')

const WaitFilters = {
  from: From,
  to: To,
  runner_type: optional(RunnerTypeName, 'Only jobs that runners of this type took.'),
  tag_set_id: optional(Type.Integer(), 'Only jobs with this set of tags, by the `id` of its group.'),
}

/** Filters of a project. */
export const ProjectWaits = Type.Object({
  ...WaitFilters,
  by: optional(OneOf('tag_set', 'type'), 'How the jobs are grouped; `tag_set` by default.'),
})

/** Filters of a group. */
export const GroupWaits = Type.Object({
  ...WaitFilters,
  by: optional(OneOf('tag_set', 'type', 'project'), 'How the jobs are grouped; `tag_set` by default.'),
})

export const InstanceWaits = Type.Object({
  ...WaitFilters,
  runner_id: optional(Type.Integer(), 'Only jobs that this runner took; not with other filters.'),
  by: optional(
    OneOf('tag_set', 'type', 'project', 'runner'),
    'How the jobs are grouped; `tag_set` by default, `runner` with `runner_id`.',
  ),
})
export type InstanceWaits = Static<typeof InstanceWaits>

function seconds<T extends TSchema>(schema: T, description: string) {
  return described(Nullable(schema), `${description}, in seconds, within 7.5 %; null without jobs.`)
}

const Percentiles = {
  count: described(Type.Integer(), 'Number of jobs that started.'),
  p50: seconds(Type.Number(), 'Median of the waits'),
  p90: seconds(Type.Number(), 'Wait that 90 % of the jobs did not exceed'),
  p95: seconds(Type.Number(), 'Wait that 95 % of the jobs did not exceed'),
  p99: seconds(Type.Number(), 'Wait that 99 % of the jobs did not exceed'),
}

/** How long jobs waited for a runner. */
export const WaitStatistics = Type.Object({
  from: described(DateTime(), 'Start of the period.'),
  to: described(DateTime(), 'End of the period.'),
  step: described(Type.Integer(), 'Length of the intervals of `series`, in seconds.'),
  by: described(OneOf('tag_set', 'type', 'project', 'runner'), 'How `groups` are formed.'),
  total: described(Type.Object(Percentiles), 'All jobs of the period.'),
  groups: Type.Array(
    Type.Object({
      id: described(
        Nullable(Type.Integer()),
        'ID of the tag set, project or runner; null for a type of runners.',
      ),
      name: text('Tags, path, description or type; empty for jobs without tags, and for what was deleted.'),
      tags: described(Nullable(Type.Array(Type.String())), 'Tags of a tag set; null for other groups.'),
      ...Percentiles,
    }),
    { description: 'Groups with their jobs, those with most jobs first; at most 100.' },
  ),
  series: Type.Array(Type.Object({ at: described(DateTime(), 'Start of the interval.'), ...Percentiles }), {
    description: 'Intervals in which jobs started, in the order of time.',
  }),
})
export type WaitStatistics = Static<typeof WaitStatistics>

/** A job, with what a link to it needs. */
const namedJob = (description: string) =>
  Type.Object(
    {
      id: described(Type.Integer(), 'ID of the job.'),
      name: text('Name of the job.'),
      project_id: described(Type.Integer(), 'ID of the project.'),
      project_path: text('Full path of the project.'),
      web_url: text('Address of the page of the job.'),
    },
    { description },
  )
export type NamedJobRecord = Static<ReturnType<typeof namedJob>>

/** Jobs that wait now. */
export const QueueOverview = Type.Object({
  count: described(Type.Integer(), 'Number of waiting jobs.'),
  oldest_at: described(Nullable(DateTime()), 'Since when the oldest one waits; null if no job waits.'),
  groups: Type.Array(
    Type.Object({
      reason: text('Why the jobs wait, as `waiting_for` of a job.'),
      message: text('The reason as a sentence.'),
      tags: described(Type.Array(Type.String()), 'Tags of the jobs.'),
      missing_tags: described(Type.Array(Type.String()), 'Tags that no runner of the project has.'),
      count: described(Type.Integer(), 'Number of jobs.'),
      projects: described(Type.Integer(), 'Number of projects of the jobs.'),
      oldest_at: described(DateTime(), 'Since when the oldest one waits.'),
      oldest_job: namedJob('One of the jobs that wait since then.'),
      nearly: Type.Array(
        Type.Object({
          id: described(Type.Integer(), 'ID of the runner.'),
          description: described(Nullable(Type.String()), 'Description of the runner.'),
          missing_tag: text('The only tag of the jobs that the runner does not have.'),
        }),
        { description: 'Runners in contact that have all tags but one, if tags are missing; at most 3.' },
      ),
    }),
    { description: 'Jobs by reason and tags, the oldest first.' },
  ),
})
export type QueueOverview = Static<typeof QueueOverview>

export const GetFailures = Type.Object({
  from: optional(DateTime(), 'Start of the period; a day before `to` if absent.'),
  to: To,
})

/** Jobs that failed with `runner_system_failure` or `no_updates_running`. */
export const RunnerFailures = Type.Object({
  from: described(DateTime(), 'Start of the period.'),
  to: described(DateTime(), 'End of the period.'),
  count: described(Type.Integer(), 'Number of jobs.'),
  runners: Type.Array(
    Type.Object({
      id: described(Type.Integer(), 'ID of the runner.'),
      description: described(Nullable(Type.String()), 'Description; null if it has none, or was deleted.'),
      count: described(Type.Integer(), 'Number of jobs.'),
      last_at: described(DateTime(), 'Time at which the last one failed.'),
      last_job: namedJob('The newest of the jobs.'),
    }),
    { description: 'Runners of the jobs, those with most jobs first; at most 100.' },
  ),
})
export type RunnerFailures = Static<typeof RunnerFailures>

export const GetUse = Type.Object({
  from: optional(DateTime(), 'Start of the period; a day before `to` if absent.'),
  to: To,
  runner_id: optional(Type.Integer(), 'Only this runner.'),
})
export type GetUse = Static<typeof GetUse>

const share = (description: string) => Type.Number({ description, minimum: 0 })

/** How busy runners were. */
export const RunnerUse = Type.Object({
  from: described(DateTime(), 'Start of the period.'),
  to: described(DateTime(), 'End of the period.'),
  step: described(Type.Integer(), 'Length of the intervals, in seconds: an hour, or a day in long periods.'),
  total: Type.Array(
    Type.Object({
      at: described(DateTime(), 'Start of the interval.'),
      online: share('Average number of runners in contact that are not paused.'),
      busy: share('Average number of runners with a job.'),
      jobs: share('Average number of running jobs.'),
    }),
    { description: 'Intervals in which a coordinator ran, in the order of time.' },
  ),
  runners: Type.Array(
    Type.Object({
      id: described(Type.Integer(), 'ID of the runner.'),
      description: described(Nullable(Type.String()), 'Description; null if it has none, or was deleted.'),
      runner_type: described(Nullable(RunnerTypeName), 'Type of the runner; null if it was deleted.'),
      busy: share('Share of the time in which the runner had a job, from 0 to 1.'),
      jobs: share('Average number of its jobs.'),
      series: described(Type.Array(share('Share')), 'The share in each interval of `total`.'),
    }),
    { description: 'Runners that had jobs, the busiest first; at most 100.' },
  ),
})
export type RunnerUse = Static<typeof RunnerUse>
