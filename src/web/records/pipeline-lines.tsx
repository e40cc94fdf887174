import { ScrollText } from 'lucide'

import { addressOf } from '../../addresses/address-of.js'
import type { DetailedPipelineEverywhere } from '../../coordinator/ci/pipelines/everywhere/schema.js'
import { classNames } from '../kit/class-names.js'
import { Icon } from '../kit/icon.js'
import list from '../kit/list-rows.module.css'
import { StatusBadge } from '../kit/status.js'
import { Duration, Time } from '../kit/time.js'
import styles from './pipeline-lines.module.css'
import { StageMarks } from './stage-marks.js'
import { UserLink } from './user-link.js'

interface PipelineLinesProps {
  label: string
  pipelines: readonly DetailedPipelineEverywhere[]
  /** All are of the same user. */
  hidesUser?: boolean
}

/** Pipelines of several projects, one line each. */
export function PipelineLines({ label, pipelines, hidesUser = false }: PipelineLinesProps) {
  return (
    <ul class={styles['lines']} aria-label={label}>
      {pipelines.map((pipeline) => (
        <PipelineLine key={pipeline.id} pipeline={pipeline} hidesUser={hidesUser} />
      ))}
    </ul>
  )
}

interface PipelineLineProps {
  pipeline: DetailedPipelineEverywhere
  hidesUser: boolean
}

function PipelineLine({ pipeline, hidesUser }: PipelineLineProps) {
  const { id, status, ref, tag, commit, stages, user } = pipeline
  const project = pipeline.project.path_with_namespace
  const href = addressOf('pipelines/pipeline', { project, id: String(id) })
  const shown = status === 'success' && pipeline.has_warnings ? 'warning' : status
  return (
    <li class={styles['line']}>
      <a href={href} class={styles['status']}>
        <StatusBadge status={shown} />
      </a>
      <div class={styles['what']}>
        <a href={href} class={classNames(list['title'], styles['title'])} data-entry="">
          #{id} {pipeline.name ?? commit?.title ?? ''}
        </a>
        <p class={styles['where']}>
          <a href={addressOf('overview', { path: project })}>{project}</a>
          <span>
            {tag ? 'tag ' : ''}
            {ref}
          </span>
        </p>
      </div>
      <div class={styles['stages']}>
        <StageMarks stages={stages} />
      </div>
      <div class={styles['log']}>
        {pipeline.log_job_id !== null && (
          <a href={addressOf('jobs/job', { project, id: String(pipeline.log_job_id) })}>
            <Icon icon={ScrollText} size={16} />
            Log
          </a>
        )}
      </div>
      <div class={styles['times']}>
        {pipeline.started_at && (
          <Duration seconds={pipeline.duration} from={pipeline.started_at} to={pipeline.finished_at} />
        )}
        <span class={styles['when']}>
          <Time value={pipeline.finished_at ?? pipeline.created_at} />
        </span>
      </div>
      {!hidesUser && (
        <div class={styles['user']}>
          <UserLink user={user} size={22} hidesName />
        </div>
      )}
    </li>
  )
}
