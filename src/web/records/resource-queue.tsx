import { addressOf } from '../../addresses/address-of.js'
import { projectApi } from '../../addresses/first-reads.js'
import type { Job } from '../../coordinator/ci/jobs/schema.js'
import type { DetailedResourceGroup } from '../../coordinator/ci/resource-groups/schema.js'
import { useReadList } from '../api/use-read.js'
import { LoadMore } from '../frame/load-more.js'
import { ReadRows } from '../frame/problem.js'
import { StatusBadge } from '../kit/status.js'
import { Time } from '../kit/time.js'
import styles from './resource-queue.module.css'
import { UserLink } from './user-link.js'

interface ResourceQueueProps {
  project: string
  group: DetailedResourceGroup
}

/** The job that has a resource, and those that wait for it, the next one first. */
export function ResourceQueue({ project, group: { key, current_job: current } }: ResourceQueueProps) {
  const path = `${projectApi(project)}/resource_groups/${encodeURIComponent(key)}/upcoming_jobs?per_page=20`
  const { rows, result, next } = useReadList<Job>(path, { refetchInterval: 10_000 })
  const waiting = rows.filter(({ id }) => id !== current?.id)
  return (
    <>
      {current && (
        <p class={styles['row']}>
          <strong class={styles['position']}>now</strong>
          <StatusBadge status={current.status} />
          <a href={addressOf('jobs/job', { project, id: String(current.id) })}>{current.name}</a>
          <a href={addressOf('pipelines/pipeline', { project, id: String(current.pipeline_id) })}>
            #{current.pipeline_id}
          </a>
          <span class={styles['quiet']}>
            {current.started_at === null ? (
              'has the resource'
            ) : (
              <>
                has the resource, started <Time value={current.started_at} />
              </>
            )}
          </span>
        </p>
      )}
      <ReadRows
        of={{ rows: waiting, result }}
        outline={2}
        empty={
          <p class={styles['row']}>
            <span class={styles['quiet']}>
              {current ? 'No other job waits.' : 'The resource is free, and no job waits.'}
            </span>
          </p>
        }
      >
        <ol class={styles['waiting']} aria-label={`Jobs that wait for ${key}`}>
          {waiting.map(({ id, name, status, pipeline, user, created_at: at }, index) => (
            <li key={id} class={styles['row']}>
              <strong class={styles['position']}>{index + 1}.</strong>
              <StatusBadge status={status} />
              <a href={addressOf('jobs/job', { project, id: String(id) })}>{name}</a>
              <a href={addressOf('pipelines/pipeline', { project, id: String(pipeline.id) })}>
                #{pipeline.id}
              </a>
              <span class={styles['quiet']}>
                created <Time value={at} />
              </span>
              <UserLink user={user} />
            </li>
          ))}
        </ol>
      </ReadRows>
      <LoadMore of="jobs" next={next} />
    </>
  )
}
