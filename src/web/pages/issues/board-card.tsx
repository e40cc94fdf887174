import { EllipsisVertical, EyeOff, MessageSquare, Milestone, Weight } from 'lucide'

import type { ListedIssue } from '../../../coordinator/planning/issues/record-schema.js'
import { DueDate } from '../../discussion/due-date.js'
import { LabelChip } from '../../discussion/label-chip.js'
import { Avatar } from '../../kit/avatar.js'
import { Badge } from '../../kit/badge.js'
import { classNames } from '../../kit/class-names.js'
import { Icon } from '../../kit/icon.js'
import { MenuItem, MenuLine } from '../../kit/menu.js'
import { Popover } from '../../kit/popover.js'
import styles from './board-card.module.css'
import type { ShownList } from './board-lists.js'

interface BoardCardProps {
  issue: ListedIssue
  list: ShownList
  lists: readonly ShownList[]
  showsProject: boolean
  isLifted: boolean
  isUnconfirmed: boolean
  /** ID of the text that says how cards are moved with keys. */
  helpId: string | undefined
  /** Moves it to an end of a list; without it, the card has no menu. */
  onMove: ((to: ShownList, end: 'first' | 'last') => void) | undefined
}

/** An issue in a list of a board. */
export function BoardCard(props: BoardCardProps) {
  const { issue, list, showsProject, isLifted, isUnconfirmed, helpId, onMove } = props
  const { labels, assignees, milestone, weight, due_date: due } = issue
  const shown = labels.filter((label) => typeof label !== 'string' && label.id !== list.record?.label?.id)
  const reference = showsProject ? issue.references.full : issue.references.short
  return (
    <li
      class={classNames(
        styles['card'],
        issue.confidential && styles['confidential'],
        isLifted && styles['lifted'],
        isUnconfirmed && styles['unconfirmed'],
        onMove && styles['movable'],
      )}
      data-card={issue.id}
      {...(isLifted && { 'data-lifted': '' })}
    >
      <div class={styles['head']}>
        <a
          class={styles['title']}
          href={issue.web_url}
          draggable={false}
          data-title=""
          aria-describedby={helpId}
        >
          {issue.title}
        </a>
        {onMove && <MoveMenu {...props} onMove={onMove} />}
      </div>
      {(issue.confidential || shown.length > 0) && (
        <div class={styles['labels']}>
          {issue.confidential && (
            <Badge tone="warning">
              <Icon icon={EyeOff} size={12} />
              Confidential
            </Badge>
          )}
          {shown.map((label) =>
            typeof label === 'string' ? null : <LabelChip key={label.name} label={label} />,
          )}
        </div>
      )}
      <div class={styles['facts']}>
        <span class={styles['reference']}>{reference}</span>
        {milestone && milestone.id !== list.record?.milestone?.id && (
          <span class={styles['fact']}>
            <Icon icon={Milestone} size={13} label="Milestone" />
            {milestone.title}
          </span>
        )}
        {due !== null && <DueDate day={due} isOpen={issue.state === 'opened'} />}
        {weight !== null && (
          <span class={styles['fact']}>
            <Icon icon={Weight} size={13} label="Weight" />
            {weight}
          </span>
        )}
        {issue.user_notes_count > 0 && (
          <span class={styles['fact']}>
            <Icon icon={MessageSquare} size={13} label="Comments" />
            {issue.user_notes_count}
          </span>
        )}
        <span class={styles['people']}>
          {assignees.slice(0, 3).map((user) => (
            <span key={user.id} title={`Assigned to ${user.name}`}>
              <Avatar name={user.name} url={user.avatar_url} size={20} />
              <span class="visually-hidden">Assigned to {user.name}</span>
            </span>
          ))}
          {assignees.length > 3 && <small>+{assignees.length - 3}</small>}
        </span>
      </div>
    </li>
  )
}

/** What moves a card without dragging it. */
function MoveMenu({
  issue,
  list,
  lists,
  onMove,
}: BoardCardProps & { onMove: NonNullable<BoardCardProps['onMove']> }) {
  const close = (event: Event) => {
    if (event.target instanceof Element) event.target.closest<HTMLElement>('[popover]')?.hidePopover()
  }
  return (
    <Popover
      size="small"
      kind="ghost"
      isBare
      class={styles['menu']}
      label={<Icon icon={EllipsisVertical} size={15} />}
      name={`Move ${issue.references.relative}`}
      rendersWhenOpen
    >
      <div class={styles['moves']} onClick={close}>
        {list.kind !== 'closed' && (
          <>
            <MenuItem onSelect={() => onMove(list, 'first')}>To the top</MenuItem>
            <MenuItem onSelect={() => onMove(list, 'last')}>To the end of what is shown</MenuItem>
            <MenuLine />
          </>
        )}
        {lists.map(
          (other) =>
            other.key !== list.key && (
              <MenuItem key={other.key} onSelect={() => onMove(other, 'first')}>
                To {other.name}
              </MenuItem>
            ),
        )}
      </div>
    </Popover>
  )
}
