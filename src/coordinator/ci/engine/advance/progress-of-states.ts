import type { JobStatus } from '../../../database/tables/job-columns.js'
import type { CompositeStatus } from '../../../database/tables/pipelines.js'
import { isCompleted } from '../job-status.js'
import type { JobState } from './composite-status.js'
import { StageProgress, stagesInOrder } from './stage-progress.js'
import type { Progress } from './transitions.js'

/** A state that one or more jobs of a pipeline are in. */
export interface JobStateGroup extends JobState {
  stageIndex: number
  stageId: number
  status: JobStatus
  schedulingType: 'stage' | 'dag'
}

export type SavedProgress = Pick<Progress, 'stages' | 'symbols'>

/** Whether only the jobs that it needs decide when the job becomes ready. */
export function isWaitingForNeeds({ status, schedulingType }: JobStateGroup): boolean {
  return status === 'created' && schedulingType === 'dag'
}

/**
 * The statuses of stages and pipeline if no job that waits for its stage is to change. Undefined if one may, because the
 * stages before it are over: `nextTransitions` must then decide with the whole graph. `states` are those of all jobs.
 */
export function progressOfStates(states: readonly JobStateGroup[]): SavedProgress | undefined {
  const progress = new StageProgress()
  for (const stage of stagesInOrder(states)) {
    const previous = progress.ofEarlierStages
    if (stage.some((state) => mayChange(state, previous))) return undefined
    progress.close(stage)
  }
  const { stages, symbols } = progress
  return { stages, symbols }
}

function mayChange({ status, schedulingType }: JobStateGroup, previous: CompositeStatus): boolean {
  return status === 'created' && schedulingType === 'stage' && isCompleted(previous)
}
