import styles from './diff-counts.module.css'

/** Numbers of added and removed lines. */
export function Counts({ added, removed }: { added: number; removed: number }) {
  return (
    <span class={styles['counts']}>
      <span class={styles['added']}>
        <span class="visually-hidden">added lines: </span>+{added}
      </span>
      <span class={styles['removed']}>
        <span class="visually-hidden">removed lines: </span>−{removed}
      </span>
    </span>
  )
}
