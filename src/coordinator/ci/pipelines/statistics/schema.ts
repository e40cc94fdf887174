import { type Static, Type } from 'typebox'

import { described, flag, text } from '../../../http/parameters/described.js'
import { Nullable } from '../../../http/parameters/types.js'

const NullableSeconds = Nullable(Type.Number())

const figures = {
  success: Type.Integer({ description: 'Number of pipelines that succeeded' }),
  failed: Type.Integer({ description: 'Number of pipelines that failed' }),
  p50: described(NullableSeconds, 'Median duration of those that succeeded, in seconds; null without one'),
  p95: described(
    NullableSeconds,
    'Duration that 95 % of those that succeeded did not exceed, in seconds; null without one',
  ),
}

const JobFigures = Type.Object({
  name: text('Name of the job; the instances of a parallel job count together'),
  parallel: flag('Whether it is a parallel job'),
  runs: Type.Integer({ description: 'Number of runs that succeeded or failed' }),
  failed: Type.Integer({ description: 'Number of runs that failed' }),
  flaky: Type.Integer({
    description: 'Number of runs that failed although another run of the commit succeeded',
  }),
  p50: described(NullableSeconds, 'Median duration of runs that succeeded, in seconds; null without one'),
  p95: described(
    NullableSeconds,
    'Duration that 95 % of the runs that succeeded did not exceed, in seconds; null without one',
  ),
})
export type JobFigures = Static<typeof JobFigures>

/** Durations and results of the pipelines of a project. */
export const PipelineStatistics = Type.Object({
  from: text('Start of the first week: ISO 8601, UTC'),
  to: text('Time of the request: ISO 8601, UTC'),
  ...figures,
  more: flag('Whether there are older pipelines in the period that are not counted'),
  weeks: Type.Array(Type.Object({ at: text('Start of the week, a Monday: ISO 8601, UTC'), ...figures }), {
    description: 'Every week of the period',
  }),
  refs: Type.Array(Type.Object({ ref: text('Branch or tag'), ...figures }), {
    description: 'The 20 branches and tags with most pipelines',
  }),
  job_pipelines: Type.Integer({ description: 'Number of the newest pipelines whose jobs are counted' }),
  slowest_jobs: Type.Array(JobFigures, { description: 'The ten jobs with the longest median' }),
  flakiest_jobs: Type.Array(JobFigures, {
    description: 'The ten jobs with most flaky runs, if they have any',
  }),
})
export type PipelineStatistics = Static<typeof PipelineStatistics>

export const StatisticsParams = Type.Object({
  ref: described(Type.Optional(Type.String({ minLength: 1 })), 'Branch or tag; all if absent.'),
  weeks: described(
    Type.Optional(Type.Integer({ minimum: 1, maximum: 52 })),
    'Number of weeks, the current one included; 12 by default.',
  ),
})
