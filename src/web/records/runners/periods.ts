import { SECONDS_PER_DAY, SECONDS_PER_HOUR } from '../../../lib/time-units.js'

/** Periods of statistics that end now; `seconds` is their length. */
export const PERIODS = [
  { value: '1h', label: 'Last hour', seconds: SECONDS_PER_HOUR },
  { value: '3h', label: 'Last 3 hours', seconds: 3 * SECONDS_PER_HOUR },
  { value: '1d', label: 'Last day', seconds: SECONDS_PER_DAY },
  { value: '7d', label: 'Last 7 days', seconds: 7 * SECONDS_PER_DAY },
  { value: '30d', label: 'Last 30 days', seconds: 30 * SECONDS_PER_DAY },
  { value: '90d', label: 'Last 90 days', seconds: 90 * SECONDS_PER_DAY },
  { value: '1y', label: 'Last year', seconds: 365 * SECONDS_PER_DAY },
  { value: '2y', label: 'Last 2 years', seconds: 730 * SECONDS_PER_DAY },
] as const

export type Period = (typeof PERIODS)[number]

/** The period with this value; the default is three hours. */
export function periodOf(value: string | null): Period {
  return PERIODS.find((period) => period.value === value) ?? PERIODS[1]
}

/** The start of a period that ends at `now`, to the minute, so that pages which are opened in one minute read the same. */
export function startOf({ seconds }: Period, now: number): string {
  return new Date(now - (now % 60_000) - seconds * 1000).toISOString()
}

/** `start`, or one day before `now` if that is earlier: for what is kept by hour. */
export function atLeastADay(start: string, now: number): string {
  return new Date(Math.min(Date.parse(start), now - (now % 60_000) - SECONDS_PER_DAY * 1000)).toISOString()
}
