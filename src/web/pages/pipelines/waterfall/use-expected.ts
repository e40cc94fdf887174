import { useEffect, useRef, useState } from 'preact/hooks'

import { projectApi } from '../../../../addresses/first-reads.js'
import type { DetailedJob } from '../../../../coordinator/ci/jobs/schema.js'
import type { GraphJob } from '../../../../coordinator/ci/pipelines/graph/schema.js'
import { RequestError } from '../../../api/client.js'
import { readOnce } from '../../../api/use-read.js'

/** The most jobs to ask for: each needs a request. */
const MAX_JOBS = 20

/** Expected run times of the jobs that run, in seconds by their IDs, as far as they are known. */
export function useExpected(project: string, jobs: readonly GraphJob[]): ReadonlyMap<number, number> {
  const [known, setKnown] = useState<ReadonlyMap<number, number>>(new Map())
  const asked = useRef(new Set<number>())
  const running = jobs
    .filter(({ kind, status }) => kind === 'job' && status === 'running')
    .slice(0, MAX_JOBS)
    .map(({ id }) => id)
    .join(',')
  useEffect(() => {
    for (const id of running === '' ? [] : running.split(',').map(Number)) {
      if (asked.current.has(id)) continue
      asked.current.add(id)
      readOnce<DetailedJob>(`${projectApi(project)}/jobs/${id}?with_details=true`).then(
        ({ expected }) => {
          if (expected !== null) setKnown((before) => new Map([...before, [id, expected]]))
        },
        (error: unknown) => {
          // The job may have been deleted; its bar has no expected end then.
          if (!(error instanceof RequestError)) throw error
        },
      )
    }
  }, [project, running])
  return known
}
