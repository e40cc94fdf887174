import pMap from 'p-map'

import { isoTimeOrNull } from '../../../http/presenters/present-time.js'
import type { Traces } from '../../storage/traces.js'
import type { GraphAttempt, GraphJob } from './schema.js'

const FILES_AT_ONCE = 8

/** Adds to each job of a project, and its attempts, when its log began. The times are beside the logs, in small files. */
export async function addOutputTimes(
  traces: Pick<Traces, 'beginOf'>,
  projectId: number,
  jobs: readonly GraphJob[],
): Promise<GraphJob[]> {
  const timed = async <Attempt extends GraphAttempt | GraphJob>(attempt: Attempt): Promise<Attempt> => {
    // A job that was not started has no log; nor has a status that another system reported, under an ID of its own.
    const hasLog = attempt.started_at !== null && !('kind' in attempt && attempt.kind !== 'job')
    const owner = { id: attempt.id, project_id: projectId }
    const time = hasLog ? await traces.beginOf(owner) : undefined
    return { ...attempt, output_at: isoTimeOrNull(time) }
  }
  return pMap(
    jobs,
    async (job) => {
      const earlier = job.earlier_attempts && (await Promise.all(job.earlier_attempts.map(timed)))
      return { ...(await timed(job)), ...(earlier && { earlier_attempts: earlier }) }
    },
    { concurrency: FILES_AT_ONCE },
  )
}
