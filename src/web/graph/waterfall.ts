import type { GraphAttempt, GraphJob } from '../../coordinator/ci/pipelines/graph/schema.js'
import { waitsFor } from './critical-path.js'

/** A bar of the waterfall: times in seconds after the creation of the pipeline. */
export interface Span {
  id: number
  /** `manual` and `delay`: it could run but was not started; `wait`: in the queue; `rest`: until its expected end. */
  kind: 'manual' | 'delay' | 'wait' | 'run' | 'rest'
  status: string
  start: number
  end: number
  /** It grows with the present time. */
  isOpen: boolean
}

export interface WaterfallRow {
  job: GraphJob
  spans: Span[]
}

export interface Waterfall {
  /** Stages that have jobs, in their order; the rows in the order in which they begin. */
  stages: { name: string; rows: WaterfallRow[] }[]
  /** Seconds from the creation of the pipeline to the end of its last job, or to now, or to the expected end. */
  length: number
  /** Sums over all jobs, in seconds. */
  waited: number
  ran: number
  /** Mean number of jobs that ran at once while any ran. */
  parallelism: number
}

/**
 * What each job of a pipeline did when: the time in the queue, and the run, of all attempts behind each other.
 * @param stages names of the stages, in their order
 * @param start creation of the pipeline, in milliseconds since 1970
 * @param now the present time, in milliseconds since 1970
 * @param expected run times of jobs that run, in seconds by their IDs
 */
export function waterfallOf(
  jobs: readonly GraphJob[],
  stages: readonly string[],
  start: number,
  now: number,
  expected: ReadonlyMap<number, number> = new Map(),
): Waterfall {
  const readyAt = readyTimes(jobs, stages, start)
  const rows = jobs.map((job) => ({
    job,
    spans: [
      ...unstarted(job, readyAt, start, now),
      ...[...(job.earlier_attempts ?? []), job].flatMap((attempt) => spansOf(attempt, start, now)),
      ...restOf(job, start, now, expected.get(job.id)),
    ],
  }))
  const spans = rows.flatMap((row) => row.spans)
  const sum = (kind: Span['kind']) =>
    spans.filter((span) => span.kind === kind).reduce((total, span) => total + span.end - span.start, 0)
  const ran = sum('run')
  const busy = unionLength(spans.filter(({ kind }) => kind === 'run'))
  return {
    stages: [...new Set([...stages, ...jobs.map(({ stage }) => stage)])].flatMap((name) => {
      const own = rows.filter(({ job }) => job.stage === name)
      return own.length === 0 ? [] : [{ name, rows: own.toSorted((a, b) => firstOf(a) - firstOf(b)) }]
    }),
    length: Math.max(1, ...spans.map(({ end }) => end)),
    waited: sum('wait'),
    ran,
    parallelism: busy === 0 ? 0 : ran / busy,
  }
}

type Attempt = GraphJob | GraphAttempt

function spansOf(attempt: Attempt, start: number, now: number): Span[] {
  const at = (time: string) => (Date.parse(time) - start) / 1000
  const { id, status, queued_at: queued, started_at: started, finished_at: finished } = attempt
  const end = finished === null ? (now - start) / 1000 : at(finished)
  const isOpen = finished === null
  const spans: Span[] = []
  if (queued !== null) {
    const until = started === null ? end : at(started)
    spans.push({
      id,
      kind: 'wait',
      status,
      start: at(queued),
      end: Math.max(until, at(queued)),
      isOpen: isOpen && started === null,
    })
  }
  if (started !== null) {
    spans.push({ id, kind: 'run', status, start: at(started), end: Math.max(end, at(started)), isOpen })
  }
  return spans
}

/** The time in which a manual or delayed job could run, but was not started yet. */
function unstarted(job: GraphJob, readyAt: (job: GraphJob) => number, start: number, now: number): Span[] {
  if (job.when !== 'manual' && job.when !== 'delayed') return []
  const isOpen = job.status === 'manual' || job.status === 'scheduled'
  const queued = job.earlier_attempts?.[0]?.queued_at ?? job.queued_at
  const end = isOpen ? now : queued === null ? undefined : Date.parse(queued)
  if (end === undefined) return []
  const ready = readyAt(job)
  if (end <= ready) return []
  const kind = job.when === 'manual' ? 'manual' : 'delay'
  const at = (time: number) => (time - start) / 1000
  return [{ id: job.id, kind, status: job.status, start: at(ready), end: at(end), isOpen }]
}

/** When the jobs that a job waits for had ended, in milliseconds since 1970; once for the jobs that wait for the same ones. */
function readyTimes(
  jobs: readonly GraphJob[],
  stages: readonly string[],
  start: number,
): (job: GraphJob) => number {
  const known = new Map<string, number>()
  return (job) => {
    const key = job.scheduling_type === 'stage' ? `stage ${job.stage}` : `needs ${job.needs.join('\n')}`
    let ready = known.get(key)
    if (ready === undefined) {
      ready = start
      for (const other of jobs) {
        if (other.finished_at === null || !waitsFor(job, other, stages)) continue
        ready = Math.max(ready, Date.parse(other.finished_at))
      }
      known.set(key, ready)
    }
    return ready
  }
}

/** From now to the expected end of a job that runs. */
function restOf(job: GraphJob, start: number, now: number, expected: number | undefined): Span[] {
  if (expected === undefined || job.started_at === null || job.finished_at !== null) return []
  const at = (now - start) / 1000
  const end = (Date.parse(job.started_at) - start) / 1000 + expected
  return end <= at ? [] : [{ id: job.id, kind: 'rest', status: job.status, start: at, end, isOpen: false }]
}

function firstOf({ spans }: WaterfallRow): number {
  return spans[0]?.start ?? Number.MAX_VALUE
}

/** Length of the time during which at least one of the spans lasts, in seconds. */
function unionLength(spans: readonly Span[]): number {
  let total = 0
  let reached = Number.NEGATIVE_INFINITY
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    total += Math.max(0, end - Math.max(start, reached))
    reached = Math.max(reached, end)
  }
  return total
}
