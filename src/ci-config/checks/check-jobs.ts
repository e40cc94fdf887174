import type { JobEntry } from '../entries/job.js'
import { invalid } from '../errors.js'
import { limits } from '../limits.js'
import type { PlannedNeed } from '../plan.js'
import { refuseCycles } from './find-cycle.js'

export const DEFAULT_STAGE = 'test'

/**
 * What only shows when the jobs are seen together: stages, dependencies and needs that exist and come in time, and no
 * circle among the needs (CI language, 1.5). Throws `ConfigError` for the first problem.
 */
export function checkJobs(jobs: readonly JobEntry[], stages: readonly string[]): void {
  const positions = new Map(stages.map((stage, index) => [stage, index]))
  const defined = new Map(jobs.map((job) => [job.name, positions.get(stageOf(job)) ?? -1]))
  for (const job of jobs) {
    checkStage(job, stages, positions)
    checkDependencies(job, defined)
    checkNeeds(job.name, job.needs, defined, [job.name, 'needs'])
    for (const rule of job.rules ?? []) checkNeeds(job.name, rule.needs, defined, [job.name, 'rules'])
  }
  refuseCycles(new Map(jobs.map(({ name, needs = [] }) => [name, needs.map((need) => need.name)])))
}

export function stageOf(job: JobEntry): string {
  return job.stage ?? DEFAULT_STAGE
}

/** Defined jobs and the position of their stage. */
type Defined = ReadonlyMap<string, number>

function checkStage(job: JobEntry, stages: readonly string[], positions: Defined): void {
  const stage = stageOf(job)
  if (positions.has(stage)) return
  throw invalid(
    `${job.name} job: chosen stage ${stage} does not exist; available stages are ${stages.join(', ')}`,
    [job.name, 'stage'],
  )
}

function checkDependencies({ name, dependencies = [] }: JobEntry, defined: Defined): void {
  for (const dependency of dependencies) {
    if (!defined.has(dependency)) {
      throw invalid(`${name} job: undefined dependency: ${dependency}`, [name, 'dependencies'])
    }
    refuseLater(name, 'dependency', dependency, defined)
  }
}

function checkNeeds(
  name: string,
  needs: readonly PlannedNeed[] = [],
  defined: Defined,
  path: readonly string[],
): void {
  for (const need of needs) {
    if (need.name.length > limits.nameLength) {
      throw invalid(
        `${name} job: need \`${need.name}\` name is too long (maximum is ${limits.nameLength} characters)`,
        path,
      )
    }
    if (!need.optional && !defined.has(need.name)) {
      throw invalid(`${name} job: undefined need: ${need.name}`, path)
    }
    refuseLater(name, 'need', need.name, defined)
  }
  const twice = firstRepeated(needs.map((need) => need.name))
  if (twice !== undefined) throw invalid(`${name} has the following needs duplicated: ${twice}.`, path)
}

function refuseLater(name: string, kind: 'need' | 'dependency', other: string, defined: Defined): void {
  const own = defined.get(name) ?? -1
  if ((defined.get(other) ?? -1) <= own) return
  throw invalid(`${name} job: ${kind} ${other} is not defined in current or prior stages`, [
    name,
    kind === 'need' ? 'needs' : 'dependencies',
  ])
}

function firstRepeated(names: string[]): string | undefined {
  const seen = new Set<string>()
  return names.find((name) => seen.size === seen.add(name).size)
}
