import { useState } from 'preact/hooks'

import { projectApi } from '../../addresses/first-reads.js'
import type { DetailedJob } from '../../coordinator/ci/jobs/schema.js'
import type { TraceOutline } from '../../coordinator/ci/jobs/trace/schema.js'
import { RequestError } from '../api/client.js'
import { useRead } from '../api/use-read.js'
import { Read } from '../frame/problem.js'
import { Alert } from '../kit/alert.js'
import { Empty } from '../kit/empty.js'
import { Panel } from '../kit/panel.js'
import { Time } from '../kit/time.js'
import { fileAddressAt } from '../log/file-address.js'
import { LogView } from '../log/log-view.js'
import { isOver } from './use-job.js'
import { Waiting } from './waiting.js'

interface JobLogProps {
  project: string
  job: DetailedJob
  /** The job in the API, such as `/projects/5/jobs/9`. */
  base: string
}

/** The log of a job, or why there is none. */
export function JobLog({ project, job, base }: JobLogProps) {
  if (job.erased_at !== null) {
    return (
      <Panel>
        <Empty title="The log was erased.">
          <Time value={job.erased_at} />
        </Empty>
      </Panel>
    )
  }
  if (job.waiting !== null) return <Waiting project={project} job={job} waiting={job.waiting} />
  if (job.started_at === null) {
    return (
      <Panel>
        <Empty title="This job has no log.">
          {job.status === 'skipped' || job.status === 'canceled'
            ? `It was ${job.status} before a runner took it.`
            : 'No runner has run it.'}
        </Empty>
      </Panel>
    )
  }
  return <Log project={project} job={job} base={base} />
}

function Log({ project, job, base }: JobLogProps) {
  const outline = useRead<TraceOutline>(`${base}/trace/outline`)
  const [error, setError] = useState<Error>()
  return (
    <>
      {job.debug_trace && (
        <Alert tone="warning" title="This log shows every command and variable.">
          Developers and above can read it, because <code>CI_DEBUG_TRACE</code> is set.
        </Alert>
      )}
      {error instanceof RequestError && <Alert tone="error" title={error.message} />}
      <Read of={outline}>
        {(known) =>
          known.bytes === 0 && isOver(job.status) ? (
            <Panel>
              <Empty title="This job has written no log." />
            </Panel>
          ) : (
            <LogView
              key={job.id}
              path={`${base}/trace`}
              jobId={job.id}
              outline={known}
              isRunning={!isOver(job.status)}
              hasFailed={job.status === 'failed'}
              fileAddress={fileAddressAt(project, job.commit?.id)}
              rawAddress={`/api/v4${projectApi(project)}/jobs/${job.id}/trace`}
              onError={setError}
            />
          )
        }
      </Read>
    </>
  )
}
