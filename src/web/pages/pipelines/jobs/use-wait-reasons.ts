import { useMemo } from 'preact/hooks'

import { projectApi } from '../../../../addresses/first-reads.js'
import type { Job } from '../../../../coordinator/ci/jobs/schema.js'
import type { GraphJob } from '../../../../coordinator/ci/pipelines/graph/schema.js'
import { useReadList } from '../../../api/use-read.js'

/**
 * Why each job of a pipeline waits. The position in the queue is read again and again, because it changes with the jobs of
 * others; the graph has none.
 */
export function useWaitReasons(
  project: string,
  pipeline: number,
  jobs: readonly GraphJob[],
): (job: GraphJob) => string | undefined {
  const waits = jobs.some(({ status }) => status === 'pending')
  const { rows } = useReadList<Job>(
    waits ? `${projectApi(project)}/pipelines/${pipeline}/jobs?per_page=100&scope[]=pending` : undefined,
    { keepsPrevious: true, refetchInterval: 15_000 },
  )
  const known = useMemo(() => new Map(rows.map(({ id, waiting_for: wait }) => [id, wait?.message])), [rows])
  return ({ id, waiting }) => (waiting === null ? undefined : (known.get(id) ?? waiting))
}
