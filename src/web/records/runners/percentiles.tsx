import type { WaitStatistics } from '../../../coordinator/ci/runner-statistics/schema.js'
import { formatDuration } from '../../kit/durations.js'
import styles from './statistics.module.css'

/** A duration, or a dash where no job has started. */
export function wait(seconds: number | null): string {
  return seconds === null ? '–' : formatDuration(seconds)
}

const NAMES = ['p50', 'p90', 'p95', 'p99'] as const
const MEANING = { p50: 'half', p90: '90 %', p95: '95 %', p99: '99 %' }

/** The percentiles of a period as large numbers. */
export function Percentiles({ of }: { of: WaitStatistics['total'] }) {
  return (
    <dl class={styles['percentiles']}>
      {NAMES.map((name) => (
        <div key={name} title={`${MEANING[name]} of the jobs waited no longer`}>
          <dt>{name}</dt>
          <dd>{wait(of[name])}</dd>
        </div>
      ))}
      <div>
        <dt>jobs</dt>
        <dd>{of.count.toLocaleString('en')}</dd>
      </div>
    </dl>
  )
}
