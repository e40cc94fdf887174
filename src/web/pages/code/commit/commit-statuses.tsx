import { ExternalLink } from 'lucide'

import { projectApi } from '../../../../addresses/first-reads.js'
import type { CommitStatus } from '../../../../coordinator/ci/commit-statuses/schema.js'
import { useReadList } from '../../../api/use-read.js'
import { LoadMore } from '../../../frame/load-more.js'
import { Icon } from '../../../kit/icon.js'
import { Panel } from '../../../kit/panel.js'
import { shownStatus, StatusBadge } from '../../../kit/status.js'
import { Time } from '../../../kit/time.js'
import styles from './commit-statuses.module.css'

/** The statuses of a commit that other systems have reported; nothing without any. */
export function CommitStatuses({ project, sha }: { project: string; sha: string }) {
  const list = useReadList<CommitStatus>(
    `${projectApi(project)}/repository/commits/${sha}/statuses?stage=external&per_page=50`,
  )
  if (list.rows.length === 0) return null
  return (
    <Panel isFlush title="External statuses" class={styles['panel']}>
      <ul class={styles['statuses']} aria-label="External statuses">
        {list.rows.map((status) => (
          <li key={status.id}>
            <StatusBadge status={shownStatus(status)} />
            <Name name={status.name} url={status.target_url} />
            <span class={styles['about']}>{status.description}</span>
            <span class={styles['when']}>
              <Time value={status.finished_at ?? status.created_at} />
            </span>
          </li>
        ))}
      </ul>
      <LoadMore of="statuses" next={list.next} />
    </Panel>
  )
}

function Name({ name, url }: { name: string; url: string | null }) {
  // The API accepts any text as the address.
  if (url === null || !/^https?:\/\//i.test(url)) return <strong>{name}</strong>
  return (
    <a class={styles['name']} href={url} target="_blank" rel="noopener noreferrer">
      {name} <Icon icon={ExternalLink} size={14} />
    </a>
  )
}
