import { useMemo } from 'preact/hooks'

import type { WaitStatistics } from '../../../coordinator/ci/runner-statistics/schema.js'
import { LineChart } from '../../charts/line-chart.js'
import { alignPoints, durationAxis, durationMark } from '../../charts/scales.js'
import { formatDuration } from '../../kit/durations.js'

const LINES = [
  { name: 'p50', tone: 'success' },
  { name: 'p90', tone: 'running' },
  { name: 'p95', tone: 'pending' },
  { name: 'p99', tone: 'failed' },
] as const

/** Percentiles of the waits over time. */
export function WaitChart({ waits }: { waits: WaitStatistics }) {
  const data = useMemo(
    () =>
      alignPoints(
        waits,
        waits.series,
        LINES.map(
          ({ name }) =>
            (point) =>
              point[name],
        ),
      ),
    [waits],
  )
  const axis = useMemo(() => durationAxis(data.values.flat()), [data])
  return (
    <LineChart
      label="How long jobs waited for a runner, by time"
      lines={LINES}
      data={data}
      axis={axis}
      isLogarithmic
      format={formatDuration}
      mark={durationMark}
    />
  )
}
