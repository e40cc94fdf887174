import type { GraphJob } from './transitions.js'

/**
 * The ids of skipped jobs to re-evaluate after jobs were retried or played: those of later stages, and those
 * that need one of them directly or indirectly (CI language, 11.5).
 */
export function skippedDependents(
  jobs: readonly GraphJob[],
  restarted: readonly { name: string; stageIndex: number }[],
): number[] {
  const firstStage = Math.min(...restarted.map(({ stageIndex }) => stageIndex))
  const needing = namesNeeding(
    jobs,
    restarted.map(({ name }) => name),
  )
  return jobs
    .filter(({ status }) => status === 'skipped')
    .filter((job) => job.stageIndex > firstStage || needing.has(job.name))
    .map(({ id }) => id)
}

function namesNeeding(jobs: readonly GraphJob[], names: string[]): Set<string> {
  const needers = new Map<string, string[]>()
  for (const job of jobs) {
    for (const needed of job.needs) {
      const known = needers.get(needed)
      if (known) known.push(job.name)
      else needers.set(needed, [job.name])
    }
  }
  const found = new Set<string>()
  const toVisit = [...names]
  for (let next = toVisit.pop(); next !== undefined; next = toVisit.pop()) {
    for (const needer of needers.get(next) ?? []) {
      if (found.has(needer)) continue
      found.add(needer)
      toVisit.push(needer)
    }
  }
  return found
}
