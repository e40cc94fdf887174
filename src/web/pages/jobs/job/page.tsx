import { Server } from 'lucide'

import { addressOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { PipelineGraph } from '../../../../coordinator/ci/pipelines/graph/schema.js'
import { useRead } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { Read } from '../../../frame/problem.js'
import { JobLog } from '../../../job-log/job-log.js'
import { type ShownJob, useJob } from '../../../job-log/use-job.js'
import { Icon } from '../../../kit/icon.js'
import { PageHeader } from '../../../kit/panel.js'
import { shownStatus, StatusBadge } from '../../../kit/status.js'
import { Duration, Time } from '../../../kit/time.js'
import { failureWords } from '../../../records/failure-words.js'
import { RunnerLink } from '../../../records/runners/runner-link.js'
import { About } from '../about.js'
import { HeldJob } from './held-job.js'
import { JobActions } from './job-actions.js'
import { Neighbors } from './neighbors.js'
import styles from './page.module.css'
import { Steps } from './steps.js'

/** A job: its log, why it waits, and what belongs to it. */
export function Page({ params: { project, id } }: { params: { project: string; id: string } }) {
  const { base, job } = useJob(project, id)
  useTitle(job.data ? `${job.data.name} #${id}` : `Job #${id}`, job.data?.status)
  return (
    <Read of={job} title={`Job #${id}`}>
      {(record) => (
        <>
          <Header project={project} job={record} base={base} />
          <div class={styles['columns']} data-stacked="narrow">
            <div class={styles['main']}>
              <Steps job={record} base={base} />
              {record.is_held && <HeldJob project={project} id={record.id} base={base} />}
              <JobLog project={project} job={record} base={base} />
            </div>
            <About project={project} job={record} base={base} />
          </div>
        </>
      )}
    </Read>
  )
}

interface JobProps {
  project: string
  job: ShownJob
  base: string
}

function Header({ project, job, base }: JobProps) {
  const pipeline = String(job.pipeline.id)
  const graph = useRead<PipelineGraph>(`${projectApi(project)}/pipelines/${pipeline}/graph`)
  return (
    <PageHeader
      title={
        <>
          <StatusBadge status={shownStatus(job)} />
          <span>{job.name}</span>
          <span class={styles['number']}>#{job.id}</span>
        </>
      }
      details={
        <>
          <a href={addressOf('pipelines/pipeline', { project, id: pipeline })}>Pipeline #{pipeline}</a>
          <span>{job.stage}</span>
          {job.failure_reason !== undefined && (
            <span class={styles['failure']}>
              {failureWords(job.failure_reason)}
              {job.exit_code !== null && `, exit code ${job.exit_code}`}
            </span>
          )}
          {job.started_at !== null && (
            <span>
              <Duration
                {...(job.finished_at === null ? { from: job.started_at } : { seconds: job.duration ?? 0 })}
              />
              {job.expected !== null && job.finished_at === null && (
                <>
                  {' '}
                  of about <Duration seconds={job.expected} />
                </>
              )}
            </span>
          )}
          {job.queued_duration !== null && (
            <span>
              waited <Duration seconds={job.queued_duration} />
            </span>
          )}
          {job.runner && (
            <span title="Runner" class={styles['runner']}>
              <Icon icon={Server} size={14} label="Runner" />
              <RunnerLink project={project} runner={job.runner} />
            </span>
          )}
          <Time value={job.finished_at ?? job.started_at ?? job.created_at} />
          {graph.data ? (
            <Neighbors project={project} jobs={graph.data.jobs} id={job.id} />
          ) : (
            graph.isPending && <span data-pending="" />
          )}
        </>
      }
      actions={<JobActions project={project} job={job} base={base} />}
    />
  )
}
