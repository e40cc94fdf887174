import { useState } from 'preact/hooks'

import { addressOf } from '../../addresses/address-of.js'
import { projectApi } from '../../addresses/first-reads.js'
import type { TraceOutline } from '../../coordinator/ci/jobs/trace/schema.js'
import type { PipelineGraph } from '../../coordinator/ci/pipelines/graph/schema.js'
import { RequestError } from '../api/client.js'
import { useRead } from '../api/use-read.js'
import { Read } from '../frame/problem.js'
import { skipCauses } from '../graph/skip-causes.js'
import { Alert } from '../kit/alert.js'
import { formatCount } from '../kit/bytes.js'
import { Empty } from '../kit/empty.js'
import { Panel } from '../kit/panel.js'
import { StatusBadge, StatusIcon, statusLook } from '../kit/status.js'
import { Time } from '../kit/time.js'
import { fileAddressAt } from '../log/file-address.js'
import { LogView } from '../log/log-view.js'
import { failureWords } from '../records/failure-words.js'
import styles from './job-log.module.css'
import { isOver, type ShownJob } from './use-job.js'
import { Waiting } from './waiting.js'

interface JobLogProps {
  project: string
  job: ShownJob
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
  if (job.kind === 'trigger') return <Downstream job={job} />
  if (job.started_at === null) {
    return (
      <Panel>
        <Empty title="This job has no log.">
          {whyNoLog(job)}
          {job.status === 'skipped' && <SkipCauses project={project} job={job} />}
        </Empty>
      </Panel>
    )
  }
  return <Log project={project} job={job} base={base} />
}

function whyNoLog({ status, failure_reason: reason }: ShownJob): string {
  if (status === 'skipped' || status === 'canceled') return `It was ${status} before a runner took it.`
  return reason === undefined
    ? 'No runner has run it.'
    : `It failed before a runner took it: ${failureWords(reason)}.`
}

/** The jobs whose end kept a skipped job from starting. */
function SkipCauses({ project, job }: Pick<JobLogProps, 'project' | 'job'>) {
  const graph = useRead<PipelineGraph>(`${projectApi(project)}/pipelines/${job.pipeline.id}/graph`).data
  const causes = graph ? skipCauses(graph, job.id) : []
  if (causes.length === 0) return null
  return (
    <>
      {' '}
      It waited for:
      <ul class={styles['causes']}>
        {causes.map((cause) => (
          <li key={cause.id}>
            <StatusIcon status={cause.status} size={14} isDecoration />
            <a href={addressOf('jobs/job', { project, id: String(cause.id) })}>{cause.name}</a>{' '}
            {statusLook(cause.status).label}
          </li>
        ))}
      </ul>
    </>
  )
}

/** The pipeline of a trigger job, which no runner runs, or why there is none. */
function Downstream({ job }: { job: ShownJob }) {
  const { downstream_pipeline: pipeline, downstream_errors: errors = [] } = job
  if (!pipeline) {
    return (
      <Panel>
        <Empty title="This job has no downstream pipeline that you may see.">
          {errors.length > 0 ? errors.join(' ') : job.failure_reason && failureWords(job.failure_reason)}
        </Empty>
      </Panel>
    )
  }
  return (
    <Panel title="Downstream pipeline">
      <p class={styles['downstream']}>
        <StatusBadge status={pipeline.status} />
        <a href={new URL(pipeline.web_url).pathname}>Pipeline #{pipeline.id}</a>
        <span>{pipeline.ref}</span>
        <Time value={pipeline.created_at} />
      </p>
    </Panel>
  )
}

/** What is missing of a log. */
function Damage({ bytes, missing_bytes: missing }: TraceOutline) {
  const title = `The log of this job is damaged: ${formatCount(bytes)} of ${formatCount(bytes + missing)} bytes are there.`
  return (
    <Alert tone="error" title={title}>
      An administrator can restore it from a backup.
    </Alert>
  )
}

function Log({ project, job, base }: JobLogProps) {
  const outline = useRead<TraceOutline>(`${base}/trace/outline`)
  const [error, setError] = useState<Error>()
  if (job.debug_trace && outline.error instanceof RequestError && outline.error.status === 403) {
    return (
      <Alert tone="warning" title="Developers and above can read this log.">
        It shows every command and variable, because <code>CI_DEBUG_TRACE</code> or{' '}
        <code>CI_DEBUG_SERVICES</code> is set.
      </Alert>
    )
  }
  return (
    <>
      {job.debug_trace && (
        <Alert tone="warning" title="This log shows every command and variable.">
          Developers and above can read it, because <code>CI_DEBUG_TRACE</code> is set.
        </Alert>
      )}
      {error instanceof RequestError && <Alert tone="error" title={error.message} />}
      <Read of={outline}>
        {(known) => (
          <>
            {known.missing_bytes > 0 && <Damage {...known} />}
            {known.bytes === 0 && isOver(job.status) ? (
              known.missing_bytes === 0 && (
                <Panel>
                  <Empty title="This job has written no log." />
                </Panel>
              )
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
            )}
          </>
        )}
      </Read>
    </>
  )
}
