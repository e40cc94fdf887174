import { groupBy } from '../../../../lib/group-by.js'
import type { CompositeStatus } from '../../../database/tables/pipelines.js'
import { compositeOfSymbols, type JobState, type StatusSymbol, statusSymbol } from './composite-status.js'

/** The statuses of the stages of a pipeline, which are closed one after the other. */
export class StageProgress {
  /** The status of every closed stage, by id. */
  readonly stages = new Map<number, CompositeStatus>()
  /** The status symbols of the jobs in the closed stages. */
  readonly symbols = new Set<StatusSymbol>()

  /** Decides whether jobs that are scheduled by their stage become ready. */
  get ofEarlierStages(): CompositeStatus {
    return compositeOfSymbols(this.symbols) ?? 'success'
  }

  /** @param jobs all jobs of the stage */
  close(jobs: readonly (JobState & { stageId: number })[]): void {
    const symbols = new Set(jobs.map(statusSymbol))
    for (const symbol of symbols) this.symbols.add(symbol)
    const status = compositeOfSymbols(symbols)
    for (const { stageId } of jobs) if (status) this.stages.set(stageId, status)
  }
}

export function stagesInOrder<Job extends { stageIndex: number }>(jobs: readonly Job[]): Job[][] {
  const stages = groupBy(jobs, ({ stageIndex }) => stageIndex)
  return [...stages].sort(([a], [b]) => a - b).map(([, stage]) => stage)
}
