import { type JobEntry, writtenName } from '../entries/job.js'
import { flatItems } from '../entries/simple-values.js'
import { ConfigError, type Problem } from '../errors.js'
import { limits } from '../limits.js'
import type { ConfigData, PlannedNeed } from '../plan.js'
import { type ConfigMap, type ConfigValue, isList, isMap, NOTHING } from '../yaml/config-value.js'
import { refuseCycles } from './find-cycle.js'

const DEFAULT_STAGE = 'test'

/**
 * Checks across jobs: stages, dependencies, needs and stop jobs must exist and come early enough, and needs
 * must have no cycle (CI language, 1.5). `written` is the file, to find the items of lists. Throws `ConfigError` with the problems in the order of the jobs.
 */
export function checkJobs(
  jobs: readonly JobEntry[],
  stages: readonly string[],
  written: ConfigMap = NOTHING,
): void {
  const positions = new Map(stages.map((stage, index) => [stage, index]))
  const known: Known = {
    jobs: new Map(jobs.map((job) => [job.name, job])),
    names: new Set([...jobs.map(writtenName), ...jobs.map(({ name }) => name)]),
    positionOf: (job) => positions.get(stageOf(job)) ?? -1,
    stages,
  }
  const problems = firstProblems(jobs, known, written)
  if (problems.length > 0) throw new ConfigError(problems)
  refuseCycles(new Map(jobs.map(({ name, needs = [] }) => [name, needs.map((need) => need.name)])))
}

/** Returns problems up to the limit, because a file could have more than fit in memory. */
function firstProblems(jobs: readonly JobEntry[], known: Known, written: ConfigMap): Problem[] {
  const problems: Problem[] = []
  let characters = 0
  for (const job of jobs) {
    for (const [keyword, message, name, among] of problemsOf(job, known)) {
      const path = [writtenName(job), keyword]
      const suggest = name !== undefined && among && { words: [name], among }
      problems.push({ message, path: [...path, ...itemOf(written, path, name)], ...(suggest && { suggest }) })
      characters += message.length
      if (problems.length >= limits.problems || characters > limits.problemCharacters) return problems
    }
  }
  return problems
}

export function stageOf(job: JobEntry): string {
  return job.stage ?? DEFAULT_STAGE
}

interface Known {
  jobs: ReadonlyMap<string, JobEntry>
  /** Covers the jobs as the file has them, and their instances. */
  names: ReadonlySet<string>
  /** Position of its stage; -1 for an unknown stage. */
  positionOf(job: JobEntry): number
  stages: readonly string[]
}

/** The keyword that is wrong, why, the name that it refers to, and the names that it could refer to. */
type Found = readonly [keyword: string, message: string, name?: string, among?: Iterable<string>]

/** The position of a job in the list of a keyword, written alone or as `{job: …}`. */
function itemOf(
  written: ConfigMap,
  [job = '', keyword = '']: string[],
  name: string | undefined,
): readonly string[] {
  const entry = written.get(job)
  const list = isMap(entry) ? entry.get(keyword) : undefined
  if (!isList(list) || name === undefined) return []
  const isIt = (value: ConfigValue): boolean => value === name || (isMap(value) && value.get('job') === name)
  return flatItems(list).find(({ value }) => isIt(value))?.position ?? []
}

function* problemsOf(job: JobEntry, known: Known): Generator<Found> {
  if (known.positionOf(job) < 0) {
    const stages = known.stages.join(', ')
    yield [
      'stage',
      `${job.name} job: chosen stage ${stageOf(job)} does not exist; available stages are ${stages}`,
      stageOf(job),
      known.stages,
    ]
    return
  }
  yield* dependencyProblems(job, 'dependencies', job.dependencies ?? [], known)
  yield* needProblems(job, 'needs', job.needs ?? [], known)
  for (const { needs = [] } of job.rules ?? []) yield* needProblems(job, 'rules', needs, known)
  yield* dependencyProblems(job, 'trigger', includedFrom(job), known)
  yield* stopProblems(job, known)
  if (job.publish !== undefined && typeof job.pages === 'object' && job.pages.publish !== undefined) {
    yield ['pages', `${job.name} job: use either ${job.name}:publish or ${job.name}:pages:publish`]
  }
}

function* dependencyProblems(
  job: JobEntry,
  keyword: string,
  names: string[],
  known: Known,
): Generator<Found> {
  for (const name of names) {
    const dependency = known.jobs.get(name)
    if (!dependency) yield [keyword, `${job.name} job: undefined dependency: ${name}`, name, known.names]
    else if (isLater(dependency, job, known)) yield [keyword, tooLate(job, 'dependency', name), name]
  }
}

function* needProblems(
  job: JobEntry,
  keyword: string,
  needs: readonly PlannedNeed[],
  known: Known,
): Generator<Found> {
  const seen = new Set<string>()
  for (const need of needs) {
    const message = seen.has(need.name)
      ? `${job.name} has the following needs duplicated: ${need.name}.`
      : needProblem(job, need, known)
    if (message !== undefined)
      yield [keyword, message, need.name, known.jobs.has(need.name) ? [] : known.names]
    seen.add(need.name)
  }
}

function needProblem(job: JobEntry, { name, optional }: PlannedNeed, known: Known): string | undefined {
  if (name.length > limits.nameLength) {
    return `${job.name} job: need \`${name}\` name is too long (maximum is ${limits.nameLength} characters)`
  }
  const needed = known.jobs.get(name)
  if (!needed) return optional ? undefined : `${job.name} job: undefined need: ${name}`
  return isLater(needed, job, known) ? tooLate(job, 'need', name) : undefined
}

function isLater(other: JobEntry, job: JobEntry, { positionOf }: Known): boolean {
  return positionOf(other) > positionOf(job)
}

function tooLate({ name }: JobEntry, kind: 'need' | 'dependency', other: string): string {
  return `${name} job: ${kind} ${other} is not defined in current or prior stages`
}

/** Jobs whose artifacts contain the files of a child pipeline (CI language, 4.1). */
function includedFrom({ trigger }: JobEntry): string[] {
  if (trigger?.kind !== 'child') return []
  return trigger.include.map(jobOf).filter((name) => name !== undefined)
}

function jobOf(included: ConfigData): string | undefined {
  if (typeof included !== 'object' || included === null || !('job' in included)) return undefined
  return typeof included.job === 'string' ? included.job : undefined
}

/** The job in `on_stop` must have the action `stop` (CI language, 1.5). */
function* stopProblems({ name, environment }: JobEntry, known: Known): Generator<Found> {
  if (environment?.onStop === undefined) return
  const stop = known.jobs.get(environment.onStop)
  const prefix = `${name} job: on_stop job ${environment.onStop}`
  if (!stop) yield ['environment', `${prefix} is not defined`, environment.onStop, known.names]
  else if (!stop.environment) yield ['environment', `${prefix} does not have environment defined`]
  else if (stop.environment.name !== environment.name)
    yield ['environment', `${prefix} have different environment name`]
  else if (stop.environment.action !== 'stop')
    yield ['environment', `${prefix} needs to have action stop defined`]
}
