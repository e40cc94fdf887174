import { MessageSquare, Milestone, TriangleAlert } from 'lucide'
import { useEffect, useRef } from 'preact/hooks'

import { LabelChip } from '../../discussion/label-chip.js'
import { classNames } from '../../kit/class-names.js'
import { Icon } from '../../kit/icon.js'
import { StatusIcon, statusLook } from '../../kit/status.js'
import { Time } from '../../kit/time.js'
import type { PlannedRow } from '../../planned/planned-list.js'
import styles from '../../planned/planned-row.module.css'
import { requestStateLook } from '../../planned/request-state.js'
import { UserLink } from '../../records/user-link.js'
import type { ListedRequest } from './listed-request.js'

interface RequestRowProps extends PlannedRow {
  request: ListedRequest
  /** The row names the project of the merge request. */
  showsProject: boolean
}

/** One line of a list of merge requests. */
export function RequestRow({ request, showsProject, isCurrent, hrefOfLabel }: RequestRowProps) {
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isCurrent) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isCurrent])
  const { pipeline } = request
  return (
    <li ref={row} class={classNames(styles['row'], isCurrent && styles['current'])}>
      <StateIcon request={request} />
      <div class={styles['main']}>
        <div class={styles['first']}>
          <a class={styles['title']} href={request.web_url} data-entry="">
            {request.title}
          </a>
          {request.labels.map((label) =>
            typeof label === 'string' ? null : (
              <LabelChip key={label.name} label={label} href={hrefOfLabel(label.name)} />
            ),
          )}
        </div>
        <div class={styles['facts']}>
          <span>
            {showsProject ? request.references.full : request.references.short} · <When request={request} />
          </span>
          <code class={styles['branch']} title={`${request.source_branch} into ${request.target_branch}`}>
            {request.source_branch}
          </code>
          {request.milestone && (
            <a class={styles['fact']} href={request.milestone.web_url}>
              <Icon icon={Milestone} size={13} label="Milestone" />
              {request.milestone.title}
            </a>
          )}
        </div>
      </div>
      <div class={styles['end']}>
        <People title="Reviewers" users={request.reviewers} />
        <People title="Assignees" users={request.assignees} />
        {request.state === 'opened' && request.has_conflicts && (
          <span class={styles['conflict']}>
            <Icon icon={TriangleAlert} size={16} label="The branches have conflicts" />
          </span>
        )}
        {pipeline && (
          <a class={styles['pipeline']} href={pipeline.web_url}>
            <StatusIcon
              status={pipeline.status}
              label={`Pipeline #${pipeline.id}: ${statusLook(pipeline.status).label}`}
            />
          </a>
        )}
        {request.user_notes_count > 0 && (
          <span class={styles['fact']} title="Comments">
            <Icon icon={MessageSquare} size={14} label="Comments" />
            {request.user_notes_count}
          </span>
        )}
      </div>
    </li>
  )
}

function StateIcon({ request }: { request: ListedRequest }) {
  const { icon, label, tone } = requestStateLook(request)
  return (
    <span class={classNames(styles['state'], tone && styles[tone])}>
      <Icon icon={icon} label={label} />
    </span>
  )
}

function When({ request: { state, author, created_at, merged_at, closed_at } }: { request: ListedRequest }) {
  const name = author?.name ?? 'a deleted account'
  if (state === 'merged')
    return (
      <>
        by {name}, merged <Time value={merged_at} />
      </>
    )
  if (state === 'closed')
    return (
      <>
        by {name}, closed <Time value={closed_at} />
      </>
    )
  return (
    <>
      opened <Time value={created_at} /> by {name}
    </>
  )
}

const MAX_PEOPLE = 3

function People({ title, users }: { title: string; users: ListedRequest['reviewers'] }) {
  if (users.length === 0) return null
  return (
    <span class={styles['people']} role="group" aria-label={title} title={title}>
      {users.slice(0, MAX_PEOPLE).map((user) => (
        <UserLink key={user.id} user={user} size={24} hidesName />
      ))}
      {users.length > MAX_PEOPLE && <small>+{users.length - MAX_PEOPLE}</small>}
    </span>
  )
}
