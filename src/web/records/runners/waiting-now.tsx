import { CircleCheck } from 'lucide'
import { Fragment } from 'preact'

import { addressOf } from '../../../addresses/address-of.js'
import type { QueueOverview } from '../../../coordinator/ci/runner-statistics/schema.js'
import { useRead } from '../../api/use-read.js'
import { Read } from '../../frame/problem.js'
import { Badge } from '../../kit/badge.js'
import { formatCount } from '../../kit/bytes.js'
import { Icon } from '../../kit/icon.js'
import { Panel } from '../../kit/panel.js'
import { Skeleton } from '../../kit/skeleton.js'
import { Table } from '../../kit/table.js'
import { Time } from '../../kit/time.js'
import { isStuck, nextStep, type WaitingGroup } from './next-step.js'
import { runnerAddress, runnersApi, type RunnerScope } from './runner-scope.js'
import styles from './waiting-now.module.css'

/** The jobs that wait now, by reason, and what helps them. */
export function WaitingNow({ scope }: { scope: RunnerScope }) {
  const queue = useRead<QueueOverview>(`${runnersApi(scope)}/queue`, { refetchInterval: 10_000 })
  return (
    <div class={styles['box']}>
      <Read of={queue} loading={<Skeleton rows={2} />}>
        {({ count, oldest_at: oldest, groups }) =>
          count === 0 ? (
            <p class={styles['none']}>
              <Icon icon={CircleCheck} size={16} /> No job waits for a runner.
            </p>
          ) : (
            <Panel
              isFlush
              title={
                <>
                  Waiting now <span class={styles['number']}>{formatCount(count)}</span>
                </>
              }
              actions={
                <span class={styles['oldest']}>
                  oldest <Time value={oldest} />
                </span>
              }
            >
              <Groups scope={scope} groups={groups} />
            </Panel>
          )
        }
      </Read>
    </div>
  )
}

function Groups({ scope, groups }: { scope: RunnerScope; groups: WaitingGroup[] }) {
  return (
    <Table<WaitingGroup>
      label="Jobs that wait, by reason"
      rows={groups}
      keyOf={({ reason, tags, message }) => JSON.stringify([reason, tags, message])}
      columns={[
        {
          title: 'Reason',
          isMain: true,
          cell: (group) => (
            <div class={styles['cell']}>
              <span class={isStuck(group) ? styles['stuck'] : undefined}>{group.message}</span>{' '}
              <span class={styles['tags']}>
                {group.tags.map((tag) => (
                  <Badge key={tag} tone={group.missing_tags.includes(tag) ? 'failed' : 'neutral'}>
                    {tag}
                  </Badge>
                ))}
              </span>
            </div>
          ),
        },
        {
          title: 'Jobs',
          isNumber: true,
          cell: ({ count, projects }) => (
            <div class={styles['cell']}>
              {formatCount(count)}
              {projects > 1 && <span class={styles['quiet']}> in {formatCount(projects)} projects</span>}
            </div>
          ),
        },
        {
          title: 'Oldest',
          isDetail: true,
          cell: ({ oldest_at: at, oldest_job: { id, name, project_path: project } }) => (
            <div class={styles['cell']}>
              <a href={addressOf('jobs/job', { project, id: String(id) })}>{name}</a>{' '}
              {scope.kind !== 'project' && <span class={styles['quiet']}>{project} </span>}
              <span class={styles['quiet']}>
                <Time value={at} />
              </span>
            </div>
          ),
        },
        {
          title: 'What helps',
          cell: (group) => (
            <div class={styles['cell']}>
              {nextStep(group)}
              {group.nearly.length > 0 && (
                <span class={styles['nearly']}>
                  {' '}
                  These have all other tags:{' '}
                  {group.nearly.map(({ id, description }, index) => (
                    <Fragment key={id}>
                      {index > 0 && ', '}
                      <a href={runnerAddress(scope, id)}>{description || `#${id}`}</a>
                    </Fragment>
                  ))}
                  .
                </span>
              )}
            </div>
          ),
        },
      ]}
    />
  )
}
