interface Ended {
  status: string
  /** In seconds; null before the end. */
  duration: number | null
}

export interface BarStatistics {
  /** Share of the pipelines that succeeded, in percent. */
  passed: number
  /** Median of the durations, in seconds; null if no job ran. */
  median: number | null
}

const COUNTED = new Set(['success', 'failed'])

/** How the latest pipelines went; undefined if none has succeeded or failed. */
export function barStatistics(pipelines: readonly Ended[]): BarStatistics | undefined {
  const ended = pipelines.filter(({ status }) => COUNTED.has(status))
  if (ended.length === 0) return undefined
  const succeeded = ended.filter(({ status }) => status === 'success').length
  return {
    passed: Math.round((succeeded / ended.length) * 100),
    median: medianOf(ended.flatMap(({ duration }) => duration ?? [])),
  }
}

function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.ceil(sorted.length / 2) - 1]
  return upper === undefined || lower === undefined ? null : (upper + lower) / 2
}
