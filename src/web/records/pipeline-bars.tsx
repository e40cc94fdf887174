import { addressOf } from '../../addresses/address-of.js'
import { classNames } from '../kit/class-names.js'
import { useNow } from '../kit/clock.js'
import { formatDuration, secondsBetween } from '../kit/durations.js'
import { statusLook } from '../kit/status.js'
import tones from '../kit/tones.module.css'
import { barHeights, barPath, barShape, barsInWords } from './bar-heights.js'
import styles from './pipeline-bars.module.css'

/** What a bar shows of a pipeline. */
interface BarPipeline {
  id: number
  status: string
  /** In seconds; null before the end. */
  duration: number | null
  /** A bar of a pipeline that runs grows from this time on. */
  started_at?: string | null
  /** Whether a job failed that may fail. */
  has_warnings?: boolean
}

interface BarsProps {
  project: string
  /** The oldest pipeline comes first: time goes from left to right. */
  pipelines: readonly BarPipeline[]
}

const COUNT = 20
const SMALL = { width: 6, gap: 2, height: 26 }
const LARGE = { width: 12, height: 40 }

/** The latest pipelines of a branch as small bars: the height is the duration, the end of the bar the status. */
export function SmallBars({ project, pipelines, branch }: BarsProps & { branch: string }) {
  const bars = useBars(pipelines, SMALL.height)
  if (bars.length === 0) return null
  const step = SMALL.width + SMALL.gap
  const width = bars.length * step - SMALL.gap
  const words = barsInWords(bars.map(({ label }) => label))
  return (
    <a
      class={styles['small']}
      href={addressOf('pipelines/list', { project }, { ref: branch })}
      aria-label={`Last ${words} on ${branch}`}
      title={`Last ${words}`}
    >
      <svg width={width} height={SMALL.height} viewBox={`0 0 ${width} ${SMALL.height}`} aria-hidden="true">
        {bars.map((bar, index) => (
          <Bar key={bar.id} {...bar} x={index * step} width={SMALL.width} bottom={SMALL.height} />
        ))}
      </svg>
    </a>
  )
}

/** As `SmallBars`, large enough for each bar to be a link to its pipeline. */
export function LinkedBars({ project, pipelines }: BarsProps) {
  const bars = useBars(pipelines, LARGE.height)
  return (
    <ol class={styles['large']} aria-label="Latest pipelines">
      {bars.map((bar) => (
        <li key={bar.id}>
          <a
            href={addressOf('pipelines/pipeline', { project, id: String(bar.id) })}
            aria-label={`Pipeline #${bar.id}: ${bar.label}${bar.took}`}
            title={`#${bar.id}: ${bar.label}${bar.took}`}
          >
            <svg width="24" height={LARGE.height} viewBox={`0 0 24 ${LARGE.height}`} aria-hidden="true">
              <Bar {...bar} x={(24 - LARGE.width) / 2} width={LARGE.width} bottom={LARGE.height} />
            </svg>
          </a>
        </li>
      ))}
    </ol>
  )
}

interface ShownBar {
  id: number
  status: string
  label: string
  took: string
  height: number
}

function useBars(pipelines: readonly BarPipeline[], most: number): ShownBar[] {
  const latest = pipelines.slice(-COUNT)
  const grows = ({ started_at: start, duration }: BarPipeline) => Boolean(start) && duration === null
  const now = useNow(latest.some(grows))
  const durations = latest.map((pipeline) =>
    grows(pipeline) ? (secondsBetween(pipeline.started_at, null, now) ?? null) : pipeline.duration,
  )
  const heights = barHeights(durations, 5, most)
  return latest.map(({ id, status: own, has_warnings: hasWarnings = false }, index) => {
    const status = own === 'success' && hasWarnings ? 'warning' : own
    const duration = durations[index]
    return {
      id,
      status,
      label: statusLook(status).label,
      took: duration ? ` in ${formatDuration(duration)}` : '',
      height: heights[index] ?? 0,
    }
  })
}

function Bar({ status, height, x, width, bottom }: ShownBar & { x: number; width: number; bottom: number }) {
  const shape = barShape(status)
  const inset = shape === 'hollow' ? 0.75 : 0
  return (
    <path
      class={classNames(styles['bar'], styles[shape], tones[statusLook(status).tone])}
      d={barPath(shape, {
        x: x + inset,
        width: width - 2 * inset,
        height: height - 2 * inset,
        bottom: bottom - inset,
      })}
    />
  )
}
