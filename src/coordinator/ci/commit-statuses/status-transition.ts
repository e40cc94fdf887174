import type { ReportedState } from '../../database/tables/commit-statuses.js'

/** A status in one of these states is updated by the next report; afterwards a new status is created. */
const UNDER_WAY = ['pending', 'running'] as const satisfies ReportedState[]

export type UnderWay = (typeof UNDER_WAY)[number]

export function isUnderWay(state: ReportedState): state is UnderWay {
  return UNDER_WAY.some((one) => one === state)
}

/**
 * Returns the reason why a status cannot become `to`, in the wording that clients look for; undefined if it
 * can (API, E3).
 */
export function refusedTransition(from: UnderWay, to: ReportedState): string | undefined {
  const event = to === 'pending' ? 'enqueue' : to === 'running' && from === 'running' ? 'run' : undefined
  return (
    event &&
    `Cannot transition status via :${event} from :${from} (Reason(s): Status cannot transition via "${event}")`
  )
}

/** The times that go with a state. */
export function timesOf(
  state: ReportedState,
  startedAt: number | null,
  now: number,
): { started_at: number | null; finished_at: number | null; updated_at: number } {
  return {
    started_at: state === 'running' ? (startedAt ?? now) : startedAt,
    finished_at: isUnderWay(state) ? null : now,
    updated_at: now,
  }
}
