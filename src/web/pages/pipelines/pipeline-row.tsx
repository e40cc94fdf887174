import { GitBranch, GitPullRequest, Tag } from 'lucide'

import { addressOf } from '../../../addresses/address-of.js'
import type { DetailedPipeline } from '../../../coordinator/ci/pipelines/details/schema.js'
import { Avatar } from '../../kit/avatar.js'
import { Badge } from '../../kit/badge.js'
import { formatCount } from '../../kit/bytes.js'
import { classNames } from '../../kit/class-names.js'
import { Icon } from '../../kit/icon.js'
import { StatusBadge } from '../../kit/status.js'
import { Duration, Time } from '../../kit/time.js'
import { PipelineAction } from './pipeline-action.js'
import styles from './pipeline-row.module.css'
import { StageMenus } from './stage-menus.js'

interface PipelineRowProps {
  project: string
  pipeline: DetailedPipeline | undefined
  /** Marks of stages for which there is room. */
  stageMarks: number
  isCurrent: boolean
  isChosen: boolean
  /** Undefined if the user has no action on several pipelines. */
  onChoose: ((isChosen: boolean) => void) | undefined
  onChanged: () => void
}

/** A pipeline in a list; an outline until it has been read. Its height is the same at any content. */
export function PipelineRow({
  project,
  pipeline,
  stageMarks,
  isCurrent,
  isChosen,
  onChoose,
  onChanged,
}: PipelineRowProps) {
  if (!pipeline) {
    return (
      <div class={styles['row']} aria-hidden="true">
        <span class={styles['outline']} />
      </div>
    )
  }
  const { id, ref, tag, commit, name, merge_request: mergeRequest, user } = pipeline
  const href = addressOf('pipelines/pipeline', { project, id: String(id) })
  const status = pipeline.status === 'success' && pipeline.has_warnings ? 'warning' : pipeline.status
  return (
    <div role="listitem" class={classNames(styles['row'], isCurrent && styles['current'])} data-row={id}>
      <div class={styles['status']}>
        {onChoose && (
          <label class={styles['choose']}>
            <input
              type="checkbox"
              aria-label={`Select pipeline ${id}`}
              checked={isChosen}
              onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
            />
          </label>
        )}
        <a href={href}>
          <span class="visually-hidden">Pipeline {id}: </span>
          <StatusBadge status={status} />
        </a>
      </div>
      <div class={styles['what']}>
        <a class={styles['title']} href={href}>
          {name ??
            commit?.title ??
            (pipeline.has_yaml_errors ? 'Errors in the CI file' : `Pipeline ${pipeline.iid}`)}
        </a>
        <div class={styles['facts']}>
          <span>#{id}</span>
          {pipeline.has_yaml_errors && <Badge tone="failed">invalid CI file</Badge>}
          <a href={addressOf('code/commits', { project, ref_path: ref })} class={styles['ref']} title={ref}>
            <Icon icon={mergeRequest ? GitPullRequest : tag ? Tag : GitBranch} size={13} />
            <span>{mergeRequest ? `!${mergeRequest.iid}` : ref}</span>
          </a>
          <a href={addressOf('code/commit', { project, sha: pipeline.sha })} class={styles['sha']}>
            {pipeline.sha.slice(0, 8)}
          </a>
          {user && (
            <a href={`/${user.username}`} class={styles['user']} title={user.name}>
              <Avatar name={user.name} url={user.avatar_url} size={16} />
              <span class="visually-hidden">{user.name}</span>
            </a>
          )}
          {pipeline.source !== 'push' && (
            <span class={styles['source']}>{pipeline.source.replaceAll('_', ' ')}</span>
          )}
        </div>
      </div>
      <div class={styles['stages']}>
        <StageMenus project={project} pipeline={pipeline} marks={stageMarks} />
      </div>
      <div class={styles['wait']}>
        {pipeline.tests !== null && pipeline.tests.failed > 0 && (
          <span class={styles['failedTests']}>
            {pipeline.tests.failed === 1
              ? '1 failed test'
              : `${formatCount(pipeline.tests.failed)} failed tests`}
          </span>
        )}
        {pipeline.queued_duration !== null && (
          <span>
            waited <Duration seconds={pipeline.queued_duration} />
          </span>
        )}
      </div>
      <div class={styles['times']}>
        <span>
          {pipeline.started_at === null ? (
            '–'
          ) : (
            <Duration
              {...(pipeline.finished_at === null
                ? { from: pipeline.started_at }
                : { seconds: pipeline.duration ?? 0 })}
            />
          )}
        </span>
        <span class={styles['quiet']}>
          <Time value={pipeline.created_at} />
        </span>
      </div>
      <div class={styles['action']}>
        <PipelineAction project={project} pipeline={pipeline} onChanged={onChanged} />
      </div>
    </div>
  )
}
