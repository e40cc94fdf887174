import { useRead } from '../../api/use-read.js'
import styles from './milestone-progress.module.css'
import { ownerApi, type PlanOwner } from './plan-owner.js'

interface Statistics {
  statistics: { counts: Record<'all' | 'closed', number> }
}

/** How many issues of a milestone are closed. */
export function MilestoneProgress({ owner, title }: { owner: PlanOwner; title: string }) {
  const { data } = useRead<Statistics>(
    `${ownerApi(owner)}/issues_statistics?milestone=${encodeURIComponent(title)}`,
    { staleTime: 60_000 },
  )
  const { all = 0, closed = 0 } = data?.statistics.counts ?? {}
  const share = all === 0 ? 0 : closed / all
  return (
    <div class={styles['progress']}>
      <div
        class={styles['bar']}
        role="progressbar"
        aria-label={`Closed issues of ${title}`}
        aria-valuemin={0}
        aria-valuemax={all}
        aria-valuenow={closed}
      >
        <div class={styles['done']} style={{ width: `${Math.round(share * 100)}%` }} />
      </div>
      <span class={styles['words']}>
        {data === undefined
          ? '…'
          : all === 0
            ? 'No issues'
            : `${closed} of ${all} issues closed (${Math.round(share * 100)} %)`}
      </span>
    </div>
  )
}
