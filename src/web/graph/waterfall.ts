import type { GraphAttempt, GraphJob } from '../../coordinator/ci/pipelines/graph/schema.js'

/** A bar of the waterfall: times in seconds after the creation of the pipeline. */
export interface Span {
  id: number
  kind: 'wait' | 'run'
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
  rows: WaterfallRow[]
  /** Seconds from the creation of the pipeline to the end of its last job, or to now. */
  length: number
  /** Sums over all jobs, in seconds. */
  waited: number
  ran: number
  /** Mean number of jobs that ran at once while any ran. */
  parallelism: number
}

/**
 * What each job of a pipeline did when: the time in the queue, and the run, of all attempts behind each other.
 * @param start creation of the pipeline, in milliseconds since 1970
 * @param now the present time, in milliseconds since 1970
 */
export function waterfallOf(jobs: readonly GraphJob[], start: number, now: number): Waterfall {
  const rows = jobs.map((job) => ({
    job,
    spans: [...(job.earlier_attempts ?? []), job].flatMap((attempt) => spansOf(attempt, start, now)),
  }))
  const spans = rows.flatMap((row) => row.spans)
  const sum = (kind: Span['kind']) =>
    spans.filter((span) => span.kind === kind).reduce((total, span) => total + span.end - span.start, 0)
  const ran = sum('run')
  const busy = unionLength(spans.filter(({ kind }) => kind === 'run'))
  return {
    rows: rows.toSorted((a, b) => firstOf(a) - firstOf(b)),
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
