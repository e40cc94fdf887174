import {
  CircleCheck,
  CircleDot,
  EyeOff,
  GitMerge,
  ListTodo,
  MessageSquare,
  Milestone,
  ThumbsUp,
} from 'lucide'
import { useEffect, useRef } from 'preact/hooks'

import type { ListedIssue } from '../../../coordinator/planning/issues/record-schema.js'
import { DueDate } from '../../discussion/due-date.js'
import { LabelChip } from '../../discussion/label-chip.js'
import { Badge } from '../../kit/badge.js'
import { classNames } from '../../kit/class-names.js'
import { Icon } from '../../kit/icon.js'
import { Time } from '../../kit/time.js'
import type { PlannedRow } from '../../planned/planned-list.js'
import styles from '../../planned/planned-row.module.css'
import { UserLink } from '../../records/user-link.js'

interface IssueRowProps extends PlannedRow {
  issue: ListedIssue
  /** The row names the project of the issue. */
  showsProject: boolean
}

/** One line of a list of issues. */
export function IssueRow({ issue, showsProject, isCurrent, isChosen, onChoose, hrefOfLabel }: IssueRowProps) {
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isCurrent) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isCurrent])
  const isOpen = issue.state === 'opened'
  return (
    <li
      ref={row}
      class={classNames(styles['row'], isCurrent && styles['current'], isChosen && styles['chosen'])}
    >
      {onChoose && (
        <label class={styles['box']}>
          <input
            type="checkbox"
            checked={isChosen}
            aria-label={`Select ${issue.references.relative}`}
            onChange={onChoose}
          />
        </label>
      )}
      <span class={classNames(styles['state'], !isOpen && styles['done'])}>
        <Icon icon={isOpen ? CircleDot : CircleCheck} label={isOpen ? 'Open' : 'Closed'} />
      </span>
      <div class={styles['main']}>
        <div class={styles['first']}>
          <a class={styles['title']} href={issue.web_url}>
            {issue.title}
          </a>
          {issue.confidential && (
            <Badge tone="warning">
              <Icon icon={EyeOff} size={12} />
              Confidential
            </Badge>
          )}
          {issue.labels.map((label) =>
            typeof label === 'string' ? null : (
              <LabelChip key={label.name} label={label} href={hrefOfLabel(label.name)} />
            ),
          )}
        </div>
        <div class={styles['facts']}>
          <span>
            {showsProject ? issue.references.full : issue.references.short} · opened{' '}
            <Time value={issue.created_at} /> by {issue.author?.name ?? 'a deleted account'}
          </span>
          {issue.milestone && (
            <a class={styles['fact']} href={issue.milestone.web_url}>
              <Icon icon={Milestone} size={13} label="Milestone" />
              {issue.milestone.title}
            </a>
          )}
          {issue.due_date !== null && <DueDate day={issue.due_date} isOpen={isOpen} />}
          {issue.has_tasks && (
            <span class={styles['fact']}>
              <Icon icon={ListTodo} size={13} label="Tasks" />
              {issue.task_completion_status.completed_count} of {issue.task_completion_status.count}
            </span>
          )}
        </div>
      </div>
      <div class={styles['end']}>
        <span class={styles['people']}>
          {issue.assignees.slice(0, 4).map((user) => (
            <UserLink key={user.id} user={user} size={24} hidesName />
          ))}
          {issue.assignees.length > 4 && <small>+{issue.assignees.length - 4}</small>}
        </span>
        <Count icon={GitMerge} label="Merge requests that close it" count={issue.merge_requests_count} />
        <Count icon={ThumbsUp} label="Upvotes" count={issue.upvotes} />
        <Count icon={MessageSquare} label="Comments" count={issue.user_notes_count} />
      </div>
    </li>
  )
}

function Count({ icon, label, count }: { icon: typeof GitMerge; label: string; count: number }) {
  if (count === 0) return null
  return (
    <span class={styles['fact']} title={label}>
      <Icon icon={icon} size={14} label={label} />
      {count}
    </span>
  )
}
