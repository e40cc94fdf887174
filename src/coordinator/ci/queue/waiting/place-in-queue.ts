import type { RunnerType } from '../../../database/tables/runners.js'

/** The number of jobs of one project that compete for the runners that a job waits for. */
export interface Competition {
  /** All of them. */
  jobs: number
  /** Jobs with a smaller id than the job. */
  older: number
  /** Jobs of the project that run on instance runners. */
  running: number
}

export interface Contender {
  /** Jobs of the same project that precede it. */
  before: number
  running: number
}

/**
 * The position of a job in the queue, from 1: the number of jobs that these kinds of runners take up to and
 * including it. Assumes that no job ends and no job is added (CI language, 14.2). The smallest
 * position counts if there are several kinds.
 */
export function placeInQueue(
  job: Contender,
  others: readonly Competition[],
  kinds: ReadonlySet<RunnerType>,
): number {
  const ahead = [...kinds].map((kind) =>
    kind === 'instance_type' ? aheadInTurns(job, others) : others.reduce((sum, { older }) => sum + older, 0),
  )
  return 1 + job.before + Math.min(...ahead)
}

/**
 * When the job is dispatched, its project has `level` running jobs; by then every other project has reached
 * the same level.
 */
function aheadInTurns(job: Contender, others: readonly Competition[]): number {
  const level = job.running + job.before
  return others.reduce((sum, { jobs, older, running }) => {
    const turns = Math.max(0, level - running)
    // If two projects have equally many running jobs, the one with the older job comes first.
    const wins = level >= running && turns < jobs && older > turns
    return sum + Math.min(jobs, turns) + (wins ? 1 : 0)
  }, 0)
}
