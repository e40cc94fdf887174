import { CirclePlay, CircleX, Eraser, RotateCcw, Server, TimerOff } from 'lucide'
import { useState } from 'preact/hooks'

import { addressOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { DetailedJob } from '../../../../coordinator/ci/jobs/schema.js'
import type { PipelineGraph } from '../../../../coordinator/ci/pipelines/graph/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useRead } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { navigate } from '../../../frame/location.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { Read } from '../../../frame/problem.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { JobLog } from '../../../job-log/job-log.js'
import { isOver, useJob } from '../../../job-log/use-job.js'
import { Button } from '../../../kit/button.js'
import { ConfirmDialog } from '../../../kit/dialog.js'
import { Icon } from '../../../kit/icon.js'
import { useKeys } from '../../../kit/keys.js'
import { Menu, MenuItem } from '../../../kit/menu.js'
import { PageHeader } from '../../../kit/panel.js'
import { shownStatus, StatusBadge } from '../../../kit/status.js'
import { Duration, Time } from '../../../kit/time.js'
import { RunnerLink } from '../../../records/runners/runner-link.js'
import { About } from '../about.js'
import { Neighbors } from './neighbors.js'
import styles from './page.module.css'

/** A job: its log, why it waits, and what belongs to it. */
export function Page({ params: { project, id } }: { params: { project: string; id: string } }) {
  const { base, job } = useJob(project, id)
  useTitle(job.data ? `${job.data.name} #${id}` : `Job #${id}`, job.data?.status)
  return (
    <Read of={job}>
      {(record) => (
        <>
          <Header project={project} job={record} base={base} />
          <div class={styles['columns']}>
            <div class={styles['main']}>
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
  job: DetailedJob
  base: string
}

function Header({ project, job, base }: JobProps) {
  const pipeline = String(job.pipeline.id)
  const graph = useRead<PipelineGraph>(`${projectApi(project)}/pipelines/${pipeline}/graph`).data
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
              {job.failure_reason.replaceAll('_', ' ')}
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
          {graph && <Neighbors project={project} jobs={graph.jobs} id={job.id} />}
        </>
      }
      actions={<Actions project={project} job={job} base={base} />}
    />
  )
}

function Actions({ project, job, base }: JobProps) {
  const { may, reasonAgainst } = useProjectAbilities(project)
  const [asks, setAsks] = useState<'play' | 'erase'>()
  const act = useAction(async (name: string) => {
    const changed = await requestJson<{ id: number }>(`${base}/${name}`, { method: 'POST' })
    setAsks(undefined)
    if (name === 'erase') notify('The log and the artifacts were erased')
    if (changed.id === job.id) await refresh(base)
    else navigate(addressOf('jobs/job', { project, id: String(changed.id) }))
    await refresh(`${projectApi(project)}/pipelines/${job.pipeline.id}`)
  }, notifyError)
  const has = (name: DetailedJob['actions'][number]) => job.actions.includes(name)
  const mayRun = may('run_pipelines')
  useKeys({
    ...(mayRun && has('retry') && { r: () => void act.run('retry') }),
    ...(mayRun && has('cancel') && { c: () => void act.run('cancel') }),
  })
  if (!mayRun) return null
  const reason = reasonAgainst('run_pipelines')
  const play = () => {
    if (job.manual_confirmation === null) void act.run('play')
    else setAsks('play')
  }
  return (
    <>
      {has('play') && (
        <Button kind="primary" icon={CirclePlay} isBusy={act.isBusy} reason={reason} onClick={play}>
          {job.status === 'scheduled' ? 'Start now' : 'Run'}
        </Button>
      )}
      {has('unschedule') && (
        <Button
          icon={TimerOff}
          isBusy={act.isBusy}
          reason={reason}
          onClick={() => void act.run('unschedule')}
        >
          Unschedule
        </Button>
      )}
      {has('retry') && (
        <Button icon={RotateCcw} isBusy={act.isBusy} reason={reason} onClick={() => void act.run('retry')}>
          Retry
        </Button>
      )}
      {has('cancel') && (
        <Button icon={CircleX} isBusy={act.isBusy} reason={reason} onClick={() => void act.run('cancel')}>
          Cancel
        </Button>
      )}
      {isOver(job.status) && job.erased_at === null && (
        <Menu name="More actions">
          <MenuItem icon={Eraser} isDangerous reason={reason} onSelect={() => setAsks('erase')}>
            Erase log and artifacts
          </MenuItem>
        </Menu>
      )}
      {asks === 'play' && (
        <ConfirmDialog
          title={`Run ${job.name}?`}
          action="Run"
          isBusy={act.isBusy}
          onConfirm={() => void act.run('play')}
          onClose={() => setAsks(undefined)}
        >
          <p>{job.manual_confirmation}</p>
        </ConfirmDialog>
      )}
      {asks === 'erase' && (
        <ConfirmDialog
          title={`Erase ${job.name}?`}
          action="Erase"
          isBusy={act.isBusy}
          onConfirm={() => void act.run('erase')}
          onClose={() => setAsks(undefined)}
        >
          <p>The log and the artifacts of this job are deleted. This cannot be undone.</p>
        </ConfirmDialog>
      )}
    </>
  )
}
