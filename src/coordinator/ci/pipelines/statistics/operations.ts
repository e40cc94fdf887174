import { SECOND } from '../../../../lib/time-units.js'
import { type Operation, operation } from '../../../http/operation.js'
import { isoTime } from '../../../http/presenters/present-time.js'
import type { PipelineOperationsDeps } from '../pipeline-operations-deps.js'
import { PipelineStatistics, StatisticsParams } from './schema.js'
import { endedJobs, endedPipelines } from './store.js'
import { byRef, byWeek, figuresOf, periodStart, summarizeJobs } from './summarize.js'

const WEEKS = 12
/** The newest pipelines, whose jobs are counted. */
const JOB_PIPELINES = 100

/** Durations and results of pipelines over time. Beyond the reference. */
export function pipelineStatisticsOperations({ engine }: PipelineOperationsDeps): Operation[] {
  return [
    operation('GET /projects/:id/pipelines/statistics', {
      summary: 'Get the durations and results of the pipelines of a project by week',
      access: 'read_pipelines',
      params: StatisticsParams,
      responses: { 200: PipelineStatistics },
      cacheable: true,
      run: async ({ project, params: { ref, weeks = WEEKS } }) => {
        const { database } = engine
        // Whole seconds, so that the response stays the same within one.
        const to = Date.now() - (Date.now() % SECOND)
        const from = periodStart(to, weeks)
        const { pipelines, more } = await endedPipelines(database, { projectId: project.id, ref, from })
        const newest = pipelines.slice(0, JOB_PIPELINES)
        const jobs = await endedJobs(
          database,
          newest.map(({ id }) => id),
        )
        return {
          from: isoTime(from),
          to: isoTime(to),
          ...figuresOf(pipelines),
          more,
          weeks: byWeek(pipelines, from, to).map(({ at, ...figures }) => ({ at: isoTime(at), ...figures })),
          refs: byRef(pipelines),
          job_pipelines: newest.length,
          ...summarizeJobs(jobs, newest),
        }
      },
    }),
  ]
}
