/** A chart over time: its columns are aligned with the times. */
export interface ChartData {
  /** Seconds since 1970, increasing. */
  times: number[]
  /** The values of each line; null where there is none. */
  values: (number | null)[][]
}

/**
 * Puts points onto all intervals of a period, so that a line has a gap where there is no point.
 * @param at the start of the interval of a point, in ISO 8601
 * @param lines the value of each line at a point
 */
export function alignPoints<Point extends { at: string }>(
  { from, to, step }: { from: string; to: string; step: number },
  points: readonly Point[],
  lines: readonly ((point: Point) => number | null)[],
): ChartData {
  const start = (seconds: number) => Math.floor(seconds / step) * step
  const byTime = new Map(points.map((point) => [start(Date.parse(point.at) / 1000), point]))
  const times: number[] = []
  for (let time = start(Date.parse(from) / 1000); time < Date.parse(to) / 1000; time += step) times.push(time)
  return {
    times,
    values: lines.map((line) =>
      times.map((time) => {
        const point = byTime.get(time)
        return point === undefined ? null : line(point)
      }),
    ),
  }
}

/** Positions of values without a neighbor, which a line alone would not show. */
export function lonelyPoints(values: readonly (number | null)[]): number[] {
  return values.flatMap((value, index) => {
    const isAlone = (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null
    return value !== null && isAlone ? [index] : []
  })
}

/** Marks of an axis of durations, in seconds. */
const DURATIONS = [0.1, 1, 10, 60, 600, 3600, 21_600, 86_400, 604_800, 2_592_000]

const UNITS = [
  { name: 'd', seconds: 86_400 },
  { name: 'h', seconds: 3600 },
  { name: 'm', seconds: 60 },
]

/** A mark of an axis of durations: `10 m`. */
export function durationMark(seconds: number): string {
  const unit = UNITS.find((each) => seconds >= each.seconds) ?? { name: 's', seconds: 1 }
  return `${seconds / unit.seconds} ${unit.name}`
}

export interface Axis {
  min: number
  max: number
  /** Positions of the lines and labels, `min` and `max` included. */
  marks: number[]
}

/** A logarithmic axis from 0.1 s that holds these durations, in seconds. */
export function durationAxis(values: readonly (number | null)[]): Axis {
  const longest = Math.max(1, ...values.map((value) => value ?? 0))
  const end = DURATIONS.findIndex((mark) => mark >= longest)
  const marks = DURATIONS.slice(0, end === -1 ? DURATIONS.length : end + 1)
  return { min: marks[0] ?? 0.1, max: Math.max(longest, marks.at(-1) ?? 1), marks }
}

/** An axis from 0 with about four marks at round numbers that holds these values. */
export function countAxis(values: readonly (number | null)[], least = 1): Axis {
  const largest = Math.max(least, ...values.map((value) => value ?? 0))
  const rough = largest / 4
  const magnitude = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((factor) => factor * magnitude).find((each) => each >= rough) ?? rough
  const count = Math.ceil(largest / step - 1e-9)
  const marks = Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)))
  return { min: 0, max: marks.at(-1) ?? largest, marks }
}
