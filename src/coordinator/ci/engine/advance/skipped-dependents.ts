import type { GraphJob } from './transitions.js'

/**
 * The ids of skipped jobs to re-evaluate after `restarted` was retried or played: those of later stages, and
 * those that need it directly or indirectly (CI language, 11.5).
 */
export function skippedDependents(
  jobs: readonly GraphJob[],
  restarted: { name: string; stageIndex: number },
): number[] {
  const needing = namesNeeding(jobs, restarted.name)
  return jobs
    .filter(({ status }) => status === 'skipped')
    .filter((job) => job.stageIndex > restarted.stageIndex || needing.has(job.name))
    .map(({ id }) => id)
}

function namesNeeding(jobs: readonly GraphJob[], name: string): Set<string> {
  const needers = new Map<string, string[]>()
  for (const job of jobs) {
    for (const needed of job.needs) needers.set(needed, [...(needers.get(needed) ?? []), job.name])
  }
  const found = new Set<string>()
  const toVisit = [name]
  for (let next = toVisit.pop(); next !== undefined; next = toVisit.pop()) {
    for (const needer of needers.get(next) ?? []) {
      if (found.has(needer)) continue
      found.add(needer)
      toVisit.push(needer)
    }
  }
  return found
}
