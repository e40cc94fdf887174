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
import { findRecentPush, hasOtherPushes, RECENT, type RecentPush } from './recent-push.js'

/** IDs of the events whose banner was closed in this browser. */
const KEY = 'switchyard_closed_pushes'
const MAX_KEPT = 20

interface PushedProject {
  id: number
  path_with_namespace: string
  default_branch: string | null
}

interface PushedBranchProps {
  project: PushedProject
  /** The user may create merge requests from branches of the project itself, too. */
  isDeveloper: boolean
}

/** Offers a merge request for the branch that the user has pushed lately, to the project or an own fork, if it has none. */
export function PushedBranch({ project, isDeveloper }: PushedBranchProps) {
  const [closed, setClosed] = useState(readClosed)
  const now = Date.now()
  // The API takes whole days, without the first one.
  const after = new Date(now - RECENT - DAY).toISOString().slice(0, 10)
  const events = useRead<Event[]>(`/events${queryOf({ action: 'pushed', after, per_page: 20 })}`).data ?? []
  const forksPath = `${projectApi(project.path_with_namespace)}/forks${queryOf({ owned: true, simple: true, per_page: 20 })}`
  const wantsForks = hasOtherPushes(events, project.id, now)
  const forks = useRead<PushedProject[]>(wantsForks ? forksPath : undefined).data ?? []
  const sources = new Map([...(isDeveloper ? [project] : []), ...forks].map((source) => [source.id, source]))
  const push = findRecentPush(
    events,
    new Set(sources.keys()),
    now,
    ({ eventId, projectId, branch }) =>
      branch === sources.get(projectId)?.default_branch || closed.includes(eventId),
  )
  const source = push && sources.get(push.projectId)
  const close = (id: number) => {
    const ids = [...closed, id].slice(-MAX_KEPT)
    localStorage.setItem(KEY, ids.join(' '))
    setClosed(ids)
  }
  return source ? (
    <Banner
      key={push.eventId}
      project={project}
      source={source}
      push={push}
      onClose={() => close(push.eventId)}
    />
  ) : null
}

interface BannerProps {
  project: PushedProject
  /** The project that has the branch. */
  source: PushedProject
  push: RecentPush
  onClose: () => void
}

function Banner({ project, source, push, onClose }: BannerProps) {
  const { branch, time } = push
  const query = { source_branch: branch, scope: 'all', state: 'all', per_page: 1 }
  const found = useRead<{ state: string; created_at: string }[]>(
    `${projectApi(project.path_with_namespace)}/merge_requests${queryOf(query)}`,
  ).data
  const [request] = found ?? []
  const isOffered = found && (!request || (request.state !== 'opened' && request.created_at < time))
  if (!isOffered) return null
  const path = source.path_with_namespace
  const create = addressOf(
    'merge-requests/new',
    { project: path },
    {
      'merge_request[source_branch]': branch,
      'merge_request[target_project_id]': source === project ? undefined : project.id,
    },
  )
  return (
    <div class={styles['banner']}>
      <Alert
        actions={
          <>
            <LinkButton size="small" kind="primary" href={create}>
              New merge request
            </LinkButton>
            <IconButton size="small" icon={X} label="Close" onClick={onClose} />
          </>
        }
      >
        You pushed to{' '}
        <a href={addressOf('code/tree', { project: path, ref_path: branch })}>
          <code>{branch}</code>
        </a>{' '}
        {source !== project && `in ${path} `}
        <Time value={time} />
      </Alert>
    </div>
  )
}

function readClosed(): number[] {
  return (localStorage.getItem(KEY) ?? '').split(' ').map(Number)
}
