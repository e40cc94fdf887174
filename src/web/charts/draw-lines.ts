import 'uplot/dist/uPlot.min.css'

import uPlot from 'uplot'

import { SECONDS_PER_DAY } from '../../lib/time-units.js'
import { type Axis, type ChartData, lonelyPoints } from './scales.js'

export interface LinesToDraw {
  data: ChartData
  axis: Axis
  isLogarithmic: boolean
  /** A color of CSS for each line. */
  colors: readonly string[]
  fillsFirst: boolean
  text: { color: string; font: string; gridColor: string }
  /** Words for a mark of the axis. */
  mark: (value: number) => string
  width: number
  height: number
  /** Called with the point under the pointer; undefined when it leaves the chart. */
  onPoint: (index: number | undefined) => void
}

export interface DrawnLines {
  resize: (width: number, height: number) => void
  remove: () => void
}

/** Draws lines over time into a box. */
export function drawLines(box: HTMLElement, lines: LinesToDraw): DrawnLines {
  const { data, axis, isLogarithmic, colors, text, mark, width, height } = lines
  const grid = { stroke: text.gridColor, width: 1 }
  const label = { stroke: text.color, font: text.font, ticks: { show: false } }
  const floor = (value: number | null) => (value === null ? null : Math.max(axis.min, value))
  const chart = new uPlot(
    {
      width,
      height,
      padding: [8, 8, 0, 0],
      legend: { show: false },
      cursor: { drag: { setScale: false, x: false, y: false }, y: false, points: { size: 7 } },
      scales: { y: { range: [axis.min, axis.max], distr: isLogarithmic ? 3 : 1 } },
      axes: [
        { ...label, grid: { show: false }, size: 28, space: 80, values: timeMarks },
        {
          ...label,
          grid,
          size: 56,
          splits: () => axis.marks,
          filter: (_chart, splits) => splits,
          values: (_chart, splits) => splits.map(mark),
        },
      ],
      series: [
        {},
        ...data.values.map((_, index) => ({
          stroke: colors[index] ?? text.color,
          width: 1.5,
          points: { show: true, size: 4, filter: () => lonelyPoints(data.values[index] ?? []) },
          ...(lines.fillsFirst && index === 0 && { fill: soft(colors[index] ?? text.color) }),
        })),
      ],
      hooks: {
        setCursor: [
          ({ cursor: { idx, left } }) => lines.onPoint((left ?? -1) < 0 ? undefined : (idx ?? undefined)),
        ],
      },
    },
    [data.times, ...data.values.map((values) => values.map(floor))],
    box,
  )
  return {
    resize: (newWidth, newHeight) => chart.setSize({ width: newWidth, height: newHeight }),
    remove: () => chart.destroy(),
  }
}

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const DATE = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const MONTH = new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric' })

/** Marks of the axis of time: with times of the day while they are close, else with dates. */
function timeMarks(_chart: uPlot, times: number[]): string[] {
  const step = (times[1] ?? Infinity) - (times[0] ?? 0)
  return times.map((time) => {
    const at = new Date(time * 1000)
    if (step > 25 * SECONDS_PER_DAY) return MONTH.format(at)
    const isMidnight = at.getHours() === 0 && at.getMinutes() === 0
    return step >= SECONDS_PER_DAY || isMidnight ? DATE.format(at) : CLOCK.format(at)
  })
}

/** A color with most of it see-through. */
function soft(color: string): string {
  return `color-mix(in srgb, ${color} 18%, transparent)`
}
