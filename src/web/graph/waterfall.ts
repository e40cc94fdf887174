import type { GraphAttempt, GraphJob } from '../../coordinator/ci/pipelines/graph/schema.js'
import { waitsFor } from './critical-path.js'
import { groupJobs, type JobGroup } from './job-groups.js'

/** A bar of the waterfall: times in seconds after the creation of the pipeline. */
export interface Span {
  id: number
  /**
   * `manual` and `delay`: it could run but was not started; `wait`: in the queue; `start`: until its log began;
   * `rest`: until its expected end.
   */
  kind: 'manual' | 'delay' | 'wait' | 'start' | 'run' | 'rest'
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

/** The instances of a parallel job, in one row that opens; or the one row of another job. */
export interface WaterfallGroup extends Pick<JobGroup, 'key' | 'name' | 'status'> {
  rows: [WaterfallRow, ...WaterfallRow[]]
  /** When any of the instances waited, and when any ran. */
  spans: Span[]
}

export interface Waterfall {
  /** Stages that have jobs, in their order; the groups and their rows in the order in which they begin. */
  stages: { name: string; groups: WaterfallGroup[] }[]
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
      ...remainingSpans(job, start, now, expected.get(job.id)),
    ],
  }))
  const spans = rows.flatMap((row) => row.spans)
  const sum = (of: readonly Span[]) => of.reduce((total, span) => total + span.end - span.start, 0)
  const runs = spans.filter(({ kind }) => kind === 'start' || kind === 'run')
  const ran = sum(runs)
  const busy = unionLength(runs)
  return {
    stages: stagesOf(rows, stages),
    length: Math.max(1, ...spans.map(({ end }) => end)),
    waited: sum(spans.filter(({ kind }) => kind === 'wait')),
    ran,
    parallelism: busy === 0 ? 0 : ran / busy,
  }
}

function stagesOf(rows: readonly WaterfallRow[], stages: readonly string[]): Waterfall['stages'] {
  const rowOf = new Map(rows.map((row) => [row.job, row]))
  const groups = groupJobs(rows.map(({ job }) => job)).map(({ key, name, status, stage, jobs }) => {
    const own = jobs.flatMap((job) => rowOf.get(job) ?? []).toSorted(byStart)
    return { stage, key, name, status, rows: own as WaterfallGroup['rows'], spans: joinedSpans(own) }
  })
  return [...new Set([...stages, ...groups.map(({ stage }) => stage)])].flatMap((name) => {
    const own = groups.filter(({ stage }) => stage === name)
    return own.length === 0 ? [] : [{ name, groups: own.toSorted(byStart) }]
  })
}

/** The spans of several rows as one row: those of a kind that overlap are one. */
function joinedSpans(rows: readonly WaterfallRow[]): Span[] {
  if (rows.length === 1) return rows[0]?.spans ?? []
  const joined = new Map<Span['kind'], Span[]>()
  for (const span of rows.flatMap(({ spans }) => spans).toSorted((a, b) => a.start - b.start)) {
    const known = joined.get(span.kind) ?? []
    joined.set(span.kind, known)
    const last = known.at(-1)
    if (!last || span.start > last.end) {
      known.push({ ...span })
      continue
    }
    last.end = Math.max(last.end, span.end)
    last.isOpen ||= span.isOpen
  }
  // What ran is drawn over what waited.
  return (['manual', 'delay', 'wait', 'start', 'run', 'rest'] as const).flatMap(
    (kind) => joined.get(kind) ?? [],
  )
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
    const from = at(started)
    const until = Math.max(end, from)
    // Null: while it runs, its log has not begun; later, that time is not known.
    if (isOpen && attempt.output_at === null) {
      spans.push({ id, kind: 'start', status, start: from, end: until, isOpen })
      return spans
    }
    const output = attempt.output_at ? Math.min(until, Math.max(from, at(attempt.output_at))) : from
    if (output > from) spans.push({ id, kind: 'start', status, start: from, end: output, isOpen: false })
    spans.push({ id, kind: 'run', status, start: output, end: until, isOpen })
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
function remainingSpans(job: GraphJob, start: number, now: number, expected: number | undefined): Span[] {
  if (expected === undefined || job.started_at === null || job.finished_at !== null) return []
  const at = (now - start) / 1000
  const end = (Date.parse(job.started_at) - start) / 1000 + expected
  return end <= at ? [] : [{ id: job.id, kind: 'rest', status: job.status, start: at, end, isOpen: false }]
}

function byStart(a: Pick<WaterfallRow, 'spans'>, b: Pick<WaterfallRow, 'spans'>): number {
  return firstOf(a) - firstOf(b)
}

function firstOf({ spans }: Pick<WaterfallRow, 'spans'>): number {
  return Math.min(Number.MAX_VALUE, ...spans.map(({ start }) => start))
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
