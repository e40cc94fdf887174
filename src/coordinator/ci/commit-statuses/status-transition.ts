import type { ReportedState } from '../../database/tables/commit-statuses.js'

/** While it is in one of these, the system that reported it goes on with it; afterwards it begins anew. */
const UNDER_WAY = ['pending', 'running'] as const satisfies ReportedState[]

export type UnderWay = (typeof UNDER_WAY)[number]

export function isUnderWay(state: ReportedState): state is UnderWay {
  return UNDER_WAY.some((one) => one === state)
}

/** Why a status cannot become `to`, in words that clients look for; undefined when it can (API, E3). */
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
