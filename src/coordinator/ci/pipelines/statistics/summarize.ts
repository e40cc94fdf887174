import { groupBy } from '../../../../lib/group-by.js'
import { DAY, WEEK } from '../../../../lib/time-units.js'
import type { JobFigures, PipelineStatistics } from './schema.js'

export interface EndedPipeline {
  id: number
  ref: string
  sha: string
  status: 'success' | 'failed'
  /** In seconds. */
  duration: number | null
  /** Milliseconds since 1970. */
  created_at: number
}

export interface EndedJob {
  pipeline_id: number
  name: string
  isSuccess: boolean
  seconds: number
}

type Figures = Pick<PipelineStatistics, 'success' | 'failed' | 'p50' | 'p95'>

/** 1970 began on a Thursday. */
const FIRST_MONDAY = 4 * DAY
const MAX_REFS = 20
const MAX_JOBS = 10

/** The Monday at or before a time, both in milliseconds since 1970. */
export function weekOf(time: number): number {
  return time - ((time - FIRST_MONDAY) % WEEK)
}

/** The Monday with which a period of so many weeks begins, the week of `now` included. */
export function periodStart(now: number, weeks: number): number {
  return weekOf(now) - (weeks - 1) * WEEK
}

export function figuresOf(pipelines: readonly EndedPipeline[]): Figures {
  const succeeded = pipelines.filter(({ status }) => status === 'success')
  const durations = succeeded.flatMap(({ duration }) => duration ?? [])
  return {
    success: succeeded.length,
    failed: pipelines.length - succeeded.length,
    ...percentilesOf(durations),
  }
}

/** Figures of every week between two times, also of those without pipelines. */
export function byWeek(
  pipelines: readonly EndedPipeline[],
  from: number,
  to: number,
): (Figures & { at: number })[] {
  const weeks = groupBy(pipelines, ({ created_at }) => weekOf(created_at))
  const result: (Figures & { at: number })[] = []
  for (let at = from; at <= to; at += WEEK) result.push({ at, ...figuresOf(weeks.get(at) ?? []) })
  return result
}

export function byRef(pipelines: readonly EndedPipeline[]): (Figures & { ref: string })[] {
  return [...groupBy(pipelines, ({ ref }) => ref)]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .slice(0, MAX_REFS)
    .map(([ref, those]) => ({ ref, ...figuresOf(those) }))
}

/** The slowest and the flakiest jobs. `pipelines` are those of the jobs. */
export function summarizeJobs(
  jobs: readonly EndedJob[],
  pipelines: readonly EndedPipeline[],
): Pick<PipelineStatistics, 'slowest_jobs' | 'flakiest_jobs'> {
  const commits = new Map(pipelines.map(({ id, sha }) => [id, sha]))
  const figures = [...groupBy(jobs, ({ name }) => groupName(name))].map(([name, runs]) =>
    figuresOfJob(name, runs, commits),
  )
  return {
    slowest_jobs: figures
      .filter(({ p50 }) => p50 !== null)
      .toSorted((one, other) => (other.p50 ?? 0) - (one.p50 ?? 0))
      .slice(0, MAX_JOBS),
    flakiest_jobs: figures
      .filter(({ flaky }) => flaky > 0)
      .toSorted((one, other) => other.flaky - one.flaky || other.flaky / other.runs - one.flaky / one.runs)
      .slice(0, MAX_JOBS),
  }
}

/** The name without the part that distinguishes the instances of a parallel job. */
function groupName(name: string): string {
  return name.replace(/ \d+\/\d+$|: \[.*\]$/, '')
}

function figuresOfJob(
  name: string,
  runs: readonly EndedJob[],
  commits: ReadonlyMap<number, string>,
): JobFigures {
  // An instance is compared with itself: another one may fail for good.
  const keyOf = (run: EndedJob) => `${commits.get(run.pipeline_id)} ${run.name}`
  const passed = new Set(runs.filter(({ isSuccess }) => isSuccess).map(keyOf))
  const failed = runs.filter(({ isSuccess }) => !isSuccess)
  return {
    name,
    parallel: runs.some((run) => run.name !== name),
    runs: runs.length,
    failed: failed.length,
    flaky: failed.filter((run) => passed.has(keyOf(run))).length,
    ...percentilesOf(runs.filter(({ isSuccess }) => isSuccess).map(({ seconds }) => seconds)),
  }
}

function percentilesOf(values: readonly number[]): Pick<Figures, 'p50' | 'p95'> {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (share: number): number | null => sorted[Math.ceil(sorted.length * share) - 1] ?? null
  return { p50: at(0.5), p95: at(0.95) }
}
