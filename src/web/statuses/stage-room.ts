import { worstStatus } from './worst-status.js'

/** Marks that the one for several stages takes the place of. */
const REST_MARKS = 2

/** Stages with room for few marks. */
export interface StageRoom<Stage> {
  /** The first stages, a mark for each. */
  shown: readonly Stage[]
  /** The others, which share a mark; empty if there is room for all. */
  rest: readonly Stage[]
  /** The status that says most about `rest`. */
  restStatus: string
}

/** Divides the stages of a pipeline into those that get a mark and those that share one, with room for `marks`. */
export function stageRoom<Stage extends { status: string; has_warnings?: boolean }>(
  stages: readonly Stage[],
  marks: number,
): StageRoom<Stage> {
  const count = stages.length <= marks ? stages.length : Math.max(1, marks - REST_MARKS)
  const rest = stages.slice(count)
  return { shown: stages.slice(0, count), rest, restStatus: worstStatus(rest.map(stageStatus)) }
}

/** The status of a stage; `warning` if a job has failed that may fail. */
export function stageStatus({
  status,
  has_warnings: warns,
}: {
  status: string
  has_warnings?: boolean
}): string {
  return status === 'success' && warns ? 'warning' : status
}
