import type { PipelineStatistics } from '../../../../coordinator/ci/pipelines/statistics/schema.js'
import type { Axis, ChartData } from '../../../charts/scales.js'

type Figures = Pick<PipelineStatistics, 'success' | 'failed'>

/** The share of pipelines that passed, from 0 to 1; null if none ended. */
export function passedShare({ success, failed }: Figures): number | null {
  return success + failed === 0 ? null : success / (success + failed)
}

/** A share in percent, without a fraction unless it would hide a failure or a success. */
export function percentText(share: number): string {
  const percent = share * 100
  const isClose = (percent > 99 && percent < 100) || (percent > 0 && percent < 1)
  return `${isClose ? percent.toFixed(1) : Math.round(percent)} %`
}

/** Median and 95th percentile of the durations by week. */
export function durationData({ weeks }: PipelineStatistics): ChartData {
  return { times: timesOf(weeks), values: [weeks.map(({ p50 }) => p50), weeks.map(({ p95 }) => p95)] }
}

/** Distances of marks, in seconds. */
const STEPS = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21_600, 86_400]
const MAX_MARKS = 5

/** An axis from 0 with a few round durations that holds these, in seconds. */
export function linearDurationAxis(values: readonly (number | null)[]): Axis {
  const longest = Math.max(1, ...values.map((value) => value ?? 0))
  const fitting = STEPS.find((each) => longest / each <= MAX_MARKS)
  const step = fitting ?? Math.ceil(longest / MAX_MARKS / 86_400) * 86_400
  const count = Math.ceil(longest / step)
  return { min: 0, max: count * step, marks: Array.from({ length: count + 1 }, (_, index) => index * step) }
}

/** Percent of the pipelines that passed by week. */
export function passedData({ weeks }: PipelineStatistics): ChartData {
  const shares = weeks.map(passedShare)
  return { times: timesOf(weeks), values: [shares.map((share) => (share === null ? null : share * 100))] }
}

function timesOf(weeks: readonly { at: string }[]): number[] {
  return weeks.map(({ at }) => Date.parse(at) / 1000)
}
