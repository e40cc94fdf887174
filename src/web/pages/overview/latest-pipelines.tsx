import { Play, Workflow } from 'lucide'

import { addressOf } from '../../../addresses/address-of.js'
import type { DetailedPipeline } from '../../../coordinator/ci/pipelines/details/schema.js'
import { Problem } from '../../frame/problem.js'
import type { May } from '../../frame/use-abilities.js'
import { LinkButton } from '../../kit/button.js'
import { Icon } from '../../kit/icon.js'
import list from '../../kit/list-rows.module.css'
import { StatusBadge } from '../../kit/status.js'
import { Duration, Time } from '../../kit/time.js'
import { LinkedBars } from '../../records/pipeline-bars.js'
import { StageMarks } from '../../records/stage-marks.js'
import styles from './latest-pipelines.module.css'
import type { ShownProject } from './shown-project.js'

interface LatestPipelinesProps {
  project: ShownProject
  pipelines: { data: DetailedPipeline[] | undefined; error: Error | null; refetch: () => unknown }
  abilities: May
}

/** Whether the default branch is in order: its last pipeline, and how the ones before it went. */
export function LatestPipelines({ project, pipelines, abilities }: LatestPipelinesProps) {
  const { data, error, refetch } = pipelines
  if (!data && error) return <Problem error={error} retry={() => void refetch()} />
  const latest = data?.[0]
  return (
    <section
      class={styles['strip']}
      aria-label="Pipelines of the default branch"
      data-pending={data ? undefined : ''}
    >
      {!data ? null : latest ? (
        <>
          <Latest project={project.path_with_namespace} pipeline={latest} before={data[1]} />
          <div class={styles['bars']} tabIndex={0} role="group" aria-label="Latest pipelines">
            <LinkedBars project={project.path_with_namespace} pipelines={data.toReversed()} />
          </div>
        </>
      ) : (
        <None project={project} abilities={abilities} />
      )}
    </section>
  )
}

/** Statuses in which the pipeline waits for a user or a time. Its duration has no meaning then. */
const IDLE = new Set(['manual', 'scheduled'])

interface LatestProps {
  project: string
  pipeline: DetailedPipeline
  before: DetailedPipeline | undefined
}

function Latest({ project, pipeline, before }: LatestProps) {
  const { id, status, has_warnings: hasWarnings, commit, ref, stages, coverage } = pipeline
  const href = addressOf('pipelines/pipeline', { project, id: String(id) })
  const shown = status === 'success' && hasWarnings ? 'warning' : status
  return (
    <div class={styles['latest']}>
      <p class={styles['first']}>
        <a href={href} class={styles['status']}>
          <StatusBadge status={shown} />
        </a>
        <a href={href} class={list['title']}>
          #{id} {pipeline.name ?? commit?.title}
        </a>
      </p>
      <ul class={styles['details']}>
        <li>
          on <a href={addressOf('pipelines/list', { project }, { ref })}>{ref}</a>
        </li>
        <li>
          <Time value={pipeline.created_at} />
        </li>
        {pipeline.started_at && !IDLE.has(status) && (
          <li>
            {pipeline.finished_at ? 'took' : 'running for'}{' '}
            <Duration seconds={pipeline.duration} from={pipeline.started_at} to={pipeline.finished_at} />
          </li>
        )}
        {coverage !== null && (
          <li>
            coverage {coverage} % <CoverageChange now={coverage} before={before?.coverage ?? null} />
          </li>
        )}
        <li>
          <StageMarks stages={stages} />
        </li>
      </ul>
    </div>
  )
}

function CoverageChange({ now, before }: { now: string; before: string | null }) {
  if (before === null) return null
  const change = Number(now) - Number(before)
  if (Math.abs(change) < 0.05) return null
  return (
    <span>
      ({change > 0 ? '+' : '−'}
      {Math.abs(change).toFixed(1)})
    </span>
  )
}

function None({
  project,
  abilities: { may, reasonAgainst },
}: Pick<LatestPipelinesProps, 'project' | 'abilities'>) {
  const path = project.path_with_namespace
  return (
    <div class={styles['none']}>
      <p>
        <Icon icon={Workflow} /> No pipeline has run on {project.default_branch} yet.
      </p>
      {may('push_code') && !reasonAgainst('push_code') && (
        <span class={styles['actions']}>
          {may('run_pipelines') && (
            <LinkButton size="small" icon={Play} href={addressOf('pipelines/new', { project: path })}>
              Run pipeline
            </LinkButton>
          )}
        </span>
      )}
    </div>
  )
}
