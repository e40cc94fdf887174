import { Clock } from 'lucide'

import { addressOf } from '../../addresses/address-of.js'
import type { JobWaiting } from '../../coordinator/ci/jobs/details/schema.js'
import type { DetailedJob } from '../../coordinator/ci/jobs/schema.js'
import { Badge } from '../kit/badge.js'
import { Icon } from '../kit/icon.js'
import { Panel } from '../kit/panel.js'
import { StatusIcon } from '../kit/status.js'
import { Time } from '../kit/time.js'
import { RunnerLink } from '../records/runners/runner-link.js'
import styles from './waiting.module.css'

/** In place of the log: why the job does not run yet, and what would help. */
export function Waiting({
  project,
  job,
  waiting,
}: {
  project: string
  job: DetailedJob
  waiting: JobWaiting
}) {
  const {
    message,
    help,
    queue_position: position,
    matching,
    runners,
    missing_tags: missing,
    nearest,
  } = waiting
  const isDelayed = job.status === 'scheduled' && job.scheduled_at !== null
  return (
    <Panel>
      <div class={styles['waiting']}>
        <span class={styles['icon']}>
          <Icon icon={Clock} size={26} />
        </span>
        {/* The message has the time in the format of the API. */}
        <h2>{isDelayed ? 'Waits for its delay to end.' : message}</h2>
        {help !== null && <p>{help}</p>}
        <dl class={styles['facts']}>
          {isDelayed && (
            <div>
              <dt>It starts</dt>
              <dd>
                <Time value={job.scheduled_at} />
              </dd>
            </div>
          )}
          {position !== null && (
            <div>
              <dt>Position in the queue</dt>
              <dd>{position}</dd>
            </div>
          )}
          {matching && (
            <div>
              <dt>Runners that may take it</dt>
              <dd>
                {matching.online} online, {matching.busy} of them busy
                {matching.paused > 0 && `, ${matching.paused} paused`}
                {matching.offline > 0 && `, ${matching.offline} offline`}
              </dd>
            </div>
          )}
          {missing && missing.length > 0 && (
            <div>
              <dt>Tags that no runner has</dt>
              <dd>
                {missing.map((tag) => (
                  <Badge key={tag} tone="warning">
                    {tag}
                  </Badge>
                ))}
              </dd>
            </div>
          )}
          {nearest && (
            <div>
              <dt>Nearest runners</dt>
              <dd>
                have {nearest.tags.join(', ')}, and lack {nearest.missing_tags.join(', ')}
              </dd>
            </div>
          )}
        </dl>
        {waiting.blocked_by.length > 0 && (
          <ul class={styles['jobs']} aria-label="Jobs that must end first">
            {waiting.blocked_by.map(({ id, name, status }) => (
              <li key={id}>
                <a href={addressOf('jobs/job', { project, id: String(id) })}>
                  <StatusIcon status={status} /> {name}
                </a>
              </li>
            ))}
          </ul>
        )}
        {runners && runners.length > 0 && (
          <ul class={styles['jobs']} aria-label="Runners that may take it">
            {runners.map(({ id, description, status, running_jobs: running }) => (
              <li key={id}>
                <RunnerLink project={project} runner={{ id, description }} />
                <span>
                  {status.replaceAll('_', ' ')}, {running} running
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Panel>
  )
}
