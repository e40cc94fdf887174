import type { JobStatus } from '../../../database/tables/job-columns.js'
import type { CompositeStatus } from '../../../database/tables/pipelines.js'
import { isCompleted } from '../job-status.js'
import { compositeOfSymbols, type JobState, type StatusSymbol, statusSymbol } from './composite-status.js'
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
 * stages before it are over: `nextTransitions` must then decide with the whole graph. `states` are those of all jobs, in
 * the order of the stages.
 */
export function progressOfStates(states: readonly JobStateGroup[]): SavedProgress | undefined {
  const stages = new Map<number, CompositeStatus>()
  const earlier = new Set<StatusSymbol>()
  for (const stage of byStage(states)) {
    const previous = compositeOfSymbols(earlier) ?? 'success'
    if (stage.some((state) => mayChange(state, previous))) return undefined
    const symbols = new Set(stage.map(statusSymbol))
    for (const symbol of symbols) earlier.add(symbol)
    const status = compositeOfSymbols(symbols)
    for (const { stageId } of stage) if (status) stages.set(stageId, status)
  }
  return { stages, symbols: earlier }
}

function mayChange({ status, schedulingType }: JobStateGroup, previous: CompositeStatus): boolean {
  return status === 'created' && schedulingType === 'stage' && isCompleted(previous)
}

function byStage(states: readonly JobStateGroup[]): JobStateGroup[][] {
  const stages = new Map<number, JobStateGroup[]>()
  for (const state of states) {
    const stage = stages.get(state.stageIndex)
    if (stage) stage.push(state)
    else stages.set(state.stageIndex, [state])
  }
  return [...stages.values()]
}
