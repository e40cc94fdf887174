import { X } from 'lucide'
import { useState } from 'preact/hooks'

import { addressOf, queryOf } from '../../addresses/address-of.js'
import { projectApi } from '../../addresses/first-reads.js'
import type { Event } from '../../coordinator/integrations/activity-events/schema.js'
import { DAY } from '../../lib/time-units.js'
import { useRead } from '../api/use-read.js'
import { Alert } from '../kit/alert.js'
import { IconButton, LinkButton } from '../kit/button.js'
import { Time } from '../kit/time.js'
import styles from './pushed-branch.module.css'
import { findRecentPush, RECENT, type RecentPush } from './recent-push.js'

/** IDs of the events whose banner was closed in this browser. */
const KEY = 'switchyard_closed_pushes'
const MAX_KEPT = 20

interface PushedBranchProps {
  project: { id: number; path_with_namespace: string; default_branch: string | null }
}

/** Offers a merge request for the branch that the user has pushed lately, if it has none. */
export function PushedBranch({ project }: PushedBranchProps) {
  const [closed, setClosed] = useState(readClosed)
  const now = Date.now()
  // The API takes whole days, without the first one.
  const after = new Date(now - RECENT - DAY).toISOString().slice(0, 10)
  const events = useRead<Event[]>(`/events${queryOf({ action: 'pushed', after, per_page: 20 })}`).data ?? []
  const push = findRecentPush(
    events,
    project.id,
    now,
    ({ eventId, branch }) => branch === project.default_branch || closed.includes(eventId),
  )
  const close = (id: number) => {
    const ids = [...closed, id].slice(-MAX_KEPT)
    localStorage.setItem(KEY, ids.join(' '))
    setClosed(ids)
  }
  return push ? (
    <Banner key={push.eventId} project={project} push={push} onClose={() => close(push.eventId)} />
  ) : null
}

interface BannerProps extends PushedBranchProps {
  push: RecentPush
  onClose: () => void
}

function Banner({ project: { path_with_namespace: project }, push, onClose }: BannerProps) {
  const { branch, time } = push
  const query = { source_branch: branch, scope: 'all', state: 'all', per_page: 1 }
  const found = useRead<{ state: string; created_at: string }[]>(
    `${projectApi(project)}/merge_requests${queryOf(query)}`,
  ).data
  const [request] = found ?? []
  const isOffered = found && (!request || (request.state !== 'opened' && request.created_at < time))
  if (!isOffered) return null
  return (
    <div class={styles['banner']}>
      <Alert
        actions={
          <>
            <LinkButton
              size="small"
              kind="primary"
              href={addressOf('merge-requests/new', { project }, { 'merge_request[source_branch]': branch })}
            >
              New merge request
            </LinkButton>
            <IconButton size="small" icon={X} label="Close" onClick={onClose} />
          </>
        }
      >
        You pushed to{' '}
        <a href={addressOf('code/tree', { project, ref_path: branch })}>
          <code>{branch}</code>
        </a>{' '}
        <Time value={time} />
      </Alert>
    </div>
  )
}

function readClosed(): number[] {
  return (localStorage.getItem(KEY) ?? '').split(' ').map(Number)
}
