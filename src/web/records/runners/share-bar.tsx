import styles from './statistics.module.css'

/** A share of the time from 0 to 1, as a bar with its percentage. */
export function ShareBar({ share }: { share: number }) {
  const percent = Math.round(Math.min(1, share) * 100)
  return (
    <span class={styles['share']}>
      <span class={styles['track']}>
        <span style={{ width: `${percent}%` }} />
      </span>
      <span class={styles['percent']}>{percent} %</span>
    </span>
  )
}
