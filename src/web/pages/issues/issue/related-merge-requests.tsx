import { GitMerge } from 'lucide'

import { useRead } from '../../../api/use-read.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { Badge } from '../../../kit/badge.js'
import { Icon } from '../../../kit/icon.js'
import { Panel } from '../../../kit/panel.js'
import styles from './related-merge-requests.module.css'

interface RelatedMergeRequest {
  id: number
  title: string
  state: string
  web_url: string
  references: { full: string }
}

/** Other states are open. */
const STATES: Record<string, string> = { merged: 'Merged', closed: 'Closed' }

/** The merge requests that mention the issue, and which of them close it. */
export function RelatedMergeRequests({ project, path }: { project: string; path: string }) {
  const { may } = useProjectAbilities(project)
  const reads = may('read_merge_requests')
  const { data = [] } = useRead<RelatedMergeRequest[]>(
    reads ? `${path}/related_merge_requests?per_page=50` : undefined,
  )
  const closing = useRead<RelatedMergeRequest[]>(
    reads && data.length > 0 ? `${path}/closed_by?per_page=50` : undefined,
  ).data
  if (data.length === 0) return null
  return (
    <Panel isFlush title="Related merge requests">
      <ul class={styles['list']}>
        {data.map(({ id, title, state, web_url, references }) => (
          <li key={id}>
            <Icon icon={GitMerge} size={15} />
            <a href={web_url}>{title}</a>
            <span class={styles['reference']}>{references.full}</span>
            <Badge tone={state === 'merged' ? 'accent' : 'neutral'}>{STATES[state] ?? 'Open'}</Badge>
            {closing?.some((other) => other.id === id) && <Badge tone="success">closes this issue</Badge>}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
