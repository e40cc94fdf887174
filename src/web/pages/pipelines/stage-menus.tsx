import { ChevronDown, ChevronRight } from 'lucide'
import { useState } from 'preact/hooks'

import { addressOf } from '../../../addresses/address-of.js'
import { projectApi } from '../../../addresses/first-reads.js'
import type { DetailedPipeline, StageSummary } from '../../../coordinator/ci/pipelines/details/schema.js'
import type { PipelineGraph } from '../../../coordinator/ci/pipelines/graph/schema.js'
import { useRead } from '../../api/use-read.js'
import { Read } from '../../frame/problem.js'
import { useProjectAbilities } from '../../frame/use-abilities.js'
import { Button } from '../../kit/button.js'
import { Popover } from '../../kit/popover.js'
import { Skeleton } from '../../kit/skeleton.js'
import { shownStatus, StatusIcon, statusLook } from '../../kit/status.js'
import { stageRoom, stageStatus } from '../../statuses/stage-room.js'
import { JobAction } from './job-action.js'
import styles from './stage-menus.module.css'

interface StageMenusProps {
  project: string
  pipeline: Pick<DetailedPipeline, 'id' | 'stages'>
  /** Marks for which there is room. */
  marks: number
}

/**
 * One mark for each stage; it opens the jobs of the stage, where each can be retried or started. Stages without room for
 * a mark share one, which opens a list of them.
 */
export function StageMenus({ project, pipeline, marks }: StageMenusProps) {
  const { shown, rest, restStatus } = stageRoom(pipeline.stages, marks)
  return (
    <span class={styles['marks']}>
      {shown.map((stage) => (
        <Popover
          key={stage.name}
          class={styles['mark']}
          kind="ghost"
          isBare
          rendersWhenOpen
          name={`Stage ${stage.name}: ${statusLook(stageStatus(stage)).label}`}
          label={<StatusIcon status={stageStatus(stage)} size={18} isDecoration />}
        >
          <p class={styles['title']}>{stage.name}</p>
          <StageJobs project={project} pipeline={pipeline.id} stage={stage.name} />
        </Popover>
      ))}
      {rest.length > 0 && (
        <Popover
          class={styles['mark']}
          kind="ghost"
          isBare
          rendersWhenOpen
          name={`${rest.length} more stages: ${statusLook(restStatus).label}`}
          label={
            <>
              <StatusIcon status={restStatus} size={18} isDecoration />
              <span class={styles['rest']}>+{rest.length}</span>
            </>
          }
        >
          <p class={styles['title']}>{rest.length} more stages</p>
          <RestOfStages project={project} pipeline={pipeline.id} stages={rest} />
        </Popover>
      )}
    </span>
  )
}

/** Stages below each other; each opens its jobs in place. */
function RestOfStages({
  stages,
  ...of
}: {
  project: string
  pipeline: number
  stages: readonly StageSummary[]
}) {
  const [open, setOpen] = useState<string | undefined>(undefined)
  return (
    <ul class={styles['rows']}>
      {stages.map((stage) => (
        <li key={stage.name}>
          <Button
            kind="ghost"
            size="small"
            icon={open === stage.name ? ChevronDown : ChevronRight}
            aria-expanded={open === stage.name}
            onClick={() => setOpen(open === stage.name ? undefined : stage.name)}
          >
            <StatusIcon status={stageStatus(stage)} />
            <span class={styles['stage']}>{stage.name}</span>
          </Button>
          {open === stage.name && <StageJobs {...of} stage={stage.name} />}
        </li>
      ))}
    </ul>
  )
}

function StageJobs({ project, pipeline, stage }: { project: string; pipeline: number; stage: string }) {
  const read = useRead<PipelineGraph>(`${projectApi(project)}/pipelines/${pipeline}/graph`)
  const { may, reasonAgainst } = useProjectAbilities(project)
  const [mayRun, reason] = [may('run_pipelines'), reasonAgainst('run_pipelines')]
  return (
    <div class={styles['jobs']}>
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
