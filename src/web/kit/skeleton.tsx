import styles from './skeleton.module.css'

/** The outline of a list while it is read, in grey. It appears after a moment, so that fast responses show none. */
export function Skeleton({ rows = 6, label = 'Loading' }: { rows?: number; label?: string }) {
  return (
    <div class={styles['skeleton']} role="status" aria-label={label} data-pending="">
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} class={styles['row']}>
          <span />
          <span />
          <span />
        </div>
      ))}
    </div>
  )
}
