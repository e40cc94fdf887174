import type { RunnerType } from '../../../database/tables/runners.js'

/** How many jobs of one project compete for the runners that a job waits for. */
export interface Competition {
  /** All of them. */
  jobs: number
  /** Those with smaller ids than the job has. */
  older: number
  /** Jobs of the project that run on instance runners. */
  running: number
}

export interface Contender {
  /** Jobs of its own project that go before it. */
  before: number
  running: number
}

/**
 * The place of a job in the queue, from 1: how many jobs these kinds of runners take until they have taken it, if none
 * ends meanwhile and none comes (CI language, 14.2). Of several kinds the one that comes to it first counts.
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

/** When the job's turn comes, its project has `level` jobs running; every other one has been given as many before. */
function aheadInTurns(job: Contender, others: readonly Competition[]): number {
  const level = job.running + job.before
  return others.reduce((sum, { jobs, older, running }) => {
    const turns = Math.max(0, level - running)
    // Of two projects with equally many the one with the older job comes first.
    const wins = level >= running && turns < jobs && older > turns
    return sum + Math.min(jobs, turns) + (wins ? 1 : 0)
  }, 0)
}
