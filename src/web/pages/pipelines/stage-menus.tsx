import { addressOf } from '../../../addresses/address-of.js'
import { projectApi } from '../../../addresses/first-reads.js'
import type { DetailedPipeline, StageSummary } from '../../../coordinator/ci/pipelines/details/schema.js'
import type { PipelineGraph } from '../../../coordinator/ci/pipelines/graph/schema.js'
import { useRead } from '../../api/use-read.js'
import { Read } from '../../frame/problem.js'
import { useProjectAbilities } from '../../frame/use-abilities.js'
import { Popover } from '../../kit/popover.js'
import { Skeleton } from '../../kit/skeleton.js'
import { shownStatus, StatusIcon, statusLook } from '../../kit/status.js'
import { JobAction } from './job-action.js'
import styles from './stage-menus.module.css'

/** One mark for each stage; it opens the jobs of the stage, where each can be retried or started. */
export function StageMenus({
  project,
  pipeline,
}: {
  project: string
  pipeline: Pick<DetailedPipeline, 'id' | 'stages'>
}) {
  return (
    <span class={styles['marks']}>
      {pipeline.stages.map((stage) => (
        <Popover
          key={stage.name}
          class={styles['mark']}
          kind="ghost"
          isBare
          rendersWhenOpen
          name={`Stage ${stage.name}: ${statusLook(statusOf(stage)).label}`}
          label={<StatusIcon status={statusOf(stage)} size={18} isDecoration />}
        >
          <StageJobs project={project} pipeline={pipeline.id} stage={stage.name} />
        </Popover>
      ))}
    </span>
  )
}

function StageJobs({ project, pipeline, stage }: { project: string; pipeline: number; stage: string }) {
  const read = useRead<PipelineGraph>(`${projectApi(project)}/pipelines/${pipeline}/graph`)
  const { may, reasonAgainst } = useProjectAbilities(project)
  const [mayRun, reason] = [may('run_pipelines'), reasonAgainst('run_pipelines')]
  return (
    <div class={styles['jobs']}>
      <p class={styles['title']}>{stage}</p>
      <Read of={read} loading={<Skeleton rows={2} />}>
        {({ jobs }) => (
          <ul>
            {jobs
              .filter((job) => job.stage === stage)
              .map((job) => (
                <li key={job.id} class={styles['job']}>
                  <a href={addressOf('jobs/job', { project, id: String(job.id) })}>
                    <StatusIcon status={shownStatus(job)} />
                    <span>{job.name}</span>
                  </a>
                  <JobAction {...{ project, pipeline, job, mayRun, reason }} />
                </li>
              ))}
          </ul>
        )}
      </Read>
    </div>
  )
}

function statusOf({ status, has_warnings: warns }: StageSummary): string {
  return status === 'success' && warns ? 'warning' : status
}
