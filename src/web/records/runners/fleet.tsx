import { Plus } from 'lucide'
import { useState } from 'preact/hooks'

import type { RunnerCounts } from '../../../coordinator/ci/runners/schema.js'
import { useRead } from '../../api/use-read.js'
import { useSearch } from '../../frame/location.js'
import { Read } from '../../frame/problem.js'
import { Button } from '../../kit/button.js'
import { formatCount } from '../../kit/bytes.js'
import { classNames } from '../../kit/class-names.js'
import { PageHeader } from '../../kit/panel.js'
import { Skeleton } from '../../kit/skeleton.js'
import { Tabs } from '../../kit/tabs.js'
import styles from './fleet.module.css'
import { NewRunner } from './new-runner.js'
import { RunnerList } from './runner-list.js'
import { runnersAddress, runnersApi, type RunnerScope } from './runner-scope.js'
import { Statistics } from './statistics.js'
import { WaitingNow } from './waiting-now.js'

interface FleetProps {
  scope: RunnerScope
  details: string
  /** Why no runner can be added now. */
  reason?: string | undefined
}

/** The runners of a scope: how many there are, what waits for them, and how long jobs have waited. */
export function Fleet({ scope, details, reason }: FleetProps) {
  const [search] = useSearch()
  const [isNew, setNew] = useState(false)
  const view = search.get('view') === 'statistics' ? 'statistics' : 'list'
  return (
    <>
      <PageHeader
        title="Runners"
        details={details}
        actions={
          <Button kind="primary" icon={Plus} reason={reason} onClick={() => setNew(true)}>
            New runner
          </Button>
        }
      />
      <Counts scope={scope} />
      <WaitingNow scope={scope} />
      <Tabs
        label="Runners"
        tabs={[
          { label: 'Runners', href: runnersAddress(scope), isCurrent: view === 'list' },
          {
            label: scope.kind === 'instance' ? 'Waits, use and failures' : 'Waits',
            href: runnersAddress(scope, { view: 'statistics' }),
            isCurrent: view === 'statistics',
          },
        ]}
      />
      <div class={styles['content']}>
        {view === 'list' ? <RunnerList scope={scope} /> : <Statistics scope={scope} />}
      </div>
      {isNew && <NewRunner scope={scope} onClose={() => setNew(false)} />}
    </>
  )
}

const STATUSES = [
  { key: 'online', label: 'online', tone: 'success' },
  { key: 'paused', label: 'paused', tone: 'pending' },
  { key: 'offline', label: 'offline', tone: 'failed' },
  { key: 'stale', label: 'stale', tone: 'failed' },
  { key: 'never_contacted', label: 'never contacted', tone: 'quiet' },
] as const

/** Numbers of runners, each a link to the list of those. */
function Counts({ scope }: { scope: RunnerScope }) {
  const counts = useRead<RunnerCounts>(`${runnersApi(scope)}/counts`, { refetchInterval: 15_000 })
  return (
    <div class={styles['counts']}>
      <Read of={counts} loading={<Skeleton rows={1} />}>
        {(numbers) => (
          <>
            {STATUSES.map(({ key, label, tone }) => (
              <a
                key={key}
                class={classNames(styles['count'], numbers[key] === 0 ? styles['none'] : styles[tone])}
                href={runnersAddress(scope, { status: key })}
              >
                <strong>{formatCount(numbers[key])}</strong> {label}
              </a>
            ))}
            <span class={styles['count']}>
              <strong>{formatCount(numbers.busy)}</strong> busy{' '}
              {numbers.online > 0 &&
                `(${Math.min(100, Math.round((100 * numbers.busy) / numbers.online))} %)`}
            </span>
          </>
        )}
      </Read>
    </div>
  )
}
