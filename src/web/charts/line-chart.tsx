import { useEffect, useRef, useState } from 'preact/hooks'

import { classNames } from '../kit/class-names.js'
import type { DrawnLines } from './draw-lines.js'
import styles from './line-chart.module.css'
import type { Axis, ChartData } from './scales.js'

interface ChartLine {
  name: string
  tone: 'success' | 'running' | 'pending' | 'failed' | 'accent' | 'neutral'
}

interface LineChartProps {
  /** What the chart shows, for screen readers and as the name of its table. */
  label: string
  lines: readonly ChartLine[]
  data: ChartData
  axis: Axis
  isLogarithmic?: boolean
  /** Fills the area below the first line. */
  fillsFirst?: boolean
  /** Words for a value. */
  format: (value: number) => string
  /** Words for a mark of the axis; `format` by default. */
  mark?: (value: number) => string
  /** Each time is a day. */
  isDaily?: boolean
  /** In pixels. */
  height?: number
}

const TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

/** Lines over time, with a legend that shows the values under the pointer, and the same numbers as a table. */
export function LineChart({
  label,
  lines,
  data,
  axis,
  isLogarithmic = false,
  fillsFirst = false,
  format,
  mark = format,
  isDaily = false,
  height = 200,
}: LineChartProps) {
  const root = useRef<HTMLElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const [point, setPoint] = useState<number>()
  const theme = useTheme()
  // Other words for the marks are no reason to draw the lines again.
  const markNow = useRef(mark)
  markNow.current = mark
  useEffect(() => {
    let chart: DrawnLines | undefined
    let isGone = false
    const observer = new ResizeObserver(() => {
      if (box.current) chart?.resize(box.current.clientWidth, height)
    })
    void import('./draw-lines.js').then(({ drawLines }) => {
      if (isGone || !box.current || !root.current) return
      const { color, fontFamily } = getComputedStyle(root.current)
      chart = drawLines(box.current, {
        data,
        axis,
        isLogarithmic,
        fillsFirst,
        mark: (value) => markNow.current(value),
        height,
        width: box.current.clientWidth,
        colors: colorsIn(root.current, 'data-line'),
        text: {
          color,
          font: `12px ${fontFamily}`,
          gridColor: colorsIn(root.current, 'data-grid')[0] ?? color,
        },
        onPoint: setPoint,
      })
      observer.observe(box.current)
    })
    return () => {
      isGone = true
      observer.disconnect()
      chart?.remove()
    }
  }, [data, axis, isLogarithmic, fillsFirst, height, theme])
  const time = point === undefined ? undefined : data.times[point]
  return (
    <figure class={styles['chart']} ref={root}>
      <figcaption class="visually-hidden">{label}</figcaption>
      <div class={styles['legend']}>
        {lines.map(({ name, tone }, index) => {
          const value = point === undefined ? null : (data.values[index]?.[point] ?? null)
          return (
            <span key={name}>
              <span class={classNames(styles['swatch'], styles[tone])} data-line="" />
              {name} {value !== null && <strong>{format(value)}</strong>}
            </span>
          )
        })}
        {time !== undefined && <span>{(isDaily ? DAY : TIME).format(time * 1000)}</span>}
      </div>
      <div ref={box} class={styles['box']} style={{ height: `${height}px` }} aria-hidden="true">
        <span class={styles['grid']} data-grid="" />
      </div>
      <DataTable {...{ label, lines, data, format, isDaily }} />
    </figure>
  )
}

function DataTable({
  label,
  lines,
  data,
  format,
  isDaily,
}: Pick<LineChartProps, 'label' | 'lines' | 'data' | 'format' | 'isDaily'>) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class={styles['table']} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Show as table</summary>
      {isOpen && (
        <div class={styles['rows']} tabIndex={0} role="region" aria-label={`${label}, as a table`}>
          <table>
            <thead>
              <tr>
                <th scope="col">{isDaily ? 'Day' : 'Time'}</th>
                {lines.map(({ name }) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {data.times.map((time, index) =>
                data.values.every((values) => values[index] === null) ? null : (
                  <tr key={time}>
                    <td>{(isDaily ? DAY : TIME).format(time * 1000)}</td>
                    {data.values.map((values, line) => {
                      const value = values[index] ?? null
                      return <td key={lines[line]?.name}>{value === null ? '–' : format(value)}</td>
                    })}
                  </tr>
                ),
              )}
            </tbody>
          </table>
        </div>
      )}
    </details>
  )
}

/** The colors that CSS gives to elements: a canvas does not know the tokens. */
function colorsIn(root: HTMLElement, attribute: string): string[] {
  return [...root.querySelectorAll(`[${attribute}]`)].map((element) => getComputedStyle(element).color)
}

/** Changes when the colors do: with the system, or with the choice of the user. */
function useTheme(): string {
  const [theme, setTheme] = useState(themeNow)
  useEffect(() => {
    const update = () => setTheme(themeNow())
    const system = matchMedia('(prefers-color-scheme: dark)')
    system.addEventListener('change', update)
    const observer = new MutationObserver(update)
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => {
      system.removeEventListener('change', update)
      observer.disconnect()
    }
  }, [])
  return theme
}

function themeNow(): string {
  const chosen = document.documentElement.dataset['theme']
  return chosen ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
}
