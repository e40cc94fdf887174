import { ArrowLeft, ArrowRight, CircleCheck, CircleDot, Milestone, Plus, Trash2 } from 'lucide'
import { useEffect, useMemo, useRef } from 'preact/hooks'

import type { ListedIssue } from '../../../coordinator/planning/issues/record-schema.js'
import { useReadList } from '../../api/use-read.js'
import { LabelChip } from '../../discussion/label-chip.js'
import { LoadMore } from '../../frame/load-more.js'
import { ReadRows } from '../../frame/problem.js'
import { Avatar } from '../../kit/avatar.js'
import { IconButton } from '../../kit/button.js'
import { formatCount } from '../../kit/bytes.js'
import { classNames } from '../../kit/class-names.js'
import { Icon } from '../../kit/icon.js'
import { Menu, MenuItem, MenuLine } from '../../kit/menu.js'
import { BoardCard } from './board-card.js'
import styles from './board-column.module.css'
import type { ShownList } from './board-lists.js'
import { type CardMove, rowsAfter } from './card-moves.js'

interface BoardListProps {
  list: ShownList
  lists: readonly ShownList[]
  /** Path of the issues in the API; undefined if no issue can be in the list. */
  path: string | undefined
  showsProject: boolean
  moves: readonly CardMove[]
  /** The move that a drag would be. */
  dragged: CardMove | undefined
  helpId: string | undefined
  /** The issues that are shown, without the one that is dragged. */
  onRows: (rows: readonly ListedIssue[]) => void
  /** Moves an issue to an end of a list; without it, no issue is moved. */
  onMove: ((issue: ListedIssue, to: ShownList, end: 'first' | 'last') => void) | undefined
  /** Opens the form for a new issue. */
  onNew: (() => void) | undefined
  /** Changes the list itself. */
  edit: ListEdit | undefined
  reason: string | undefined
}

interface ListEdit {
  /** Moves the list to the left (-1) or to the right (1); undefined for the lists of open and closed issues. */
  shift: (step: -1 | 1) => void
  isFirst: boolean
  isLast: boolean
  delete: () => void
}

/** A list of a board: its issues are read as the reader scrolls. */
export function BoardColumn(props: BoardListProps) {
  const { list, path, moves, dragged, onRows, onNew, edit, reason } = props
  const isDragging = dragged !== undefined
  const read = useReadList<ListedIssue>(path, { keepsPrevious: true })
  const current = path === undefined ? NO_ROWS : read.rows
  // What others do must not move what is dragged.
  const kept = useRef(current)
  if (!isDragging) kept.current = current
  const known = kept.current
  const rows = useMemo(() => rowsAfter(known, list.key, moves), [known, list.key, moves])
  useEffect(() => onRows(rows), [rows, onRows])
  const shown = dragged ? rowsAfter(rows, list.key, [dragged]) : rows
  const total = path === undefined ? 0 : read.total
  const unconfirmed = new Set(moves.map(({ issue }) => issue.id))
  return (
    <section class={styles['list']} data-list={list.key} aria-label={list.name}>
      <header class={styles['head']}>
        <h2 class={styles['name']}>
          <ListName list={list} />
        </h2>
        {total !== undefined && (
          <span class={styles['count']}>{formatCount(Math.max(0, total + shown.length - known.length))}</span>
        )}
        <span class={styles['space']} />
        {onNew && (
          <IconButton
            size="small"
            icon={Plus}
            label={`New issue in ${list.name}`}
            reason={reason}
            onClick={onNew}
          />
        )}
        {edit && (
          <Menu size="small" kind="ghost" name={`Change the list ${list.name}`}>
            <MenuItem
              icon={ArrowLeft}
              reason={reason ?? (edit.isFirst ? 'It is the first one.' : undefined)}
              onSelect={() => edit.shift(-1)}
            >
              Move to the left
            </MenuItem>
            <MenuItem
              icon={ArrowRight}
              reason={reason ?? (edit.isLast ? 'It is the last one.' : undefined)}
              onSelect={() => edit.shift(1)}
            >
              Move to the right
            </MenuItem>
            <MenuLine />
            <MenuItem icon={Trash2} isDangerous reason={reason} onSelect={edit.delete}>
              Delete the list…
            </MenuItem>
          </Menu>
        )}
      </header>
      <div class={styles['cards']} data-cards="">
        {path === undefined ? (
          <Cards {...props} rows={shown} unconfirmed={unconfirmed} />
        ) : (
          <ReadRows of={{ ...read, rows: ONE_ROW }} outline={3} empty={null}>
            <Cards {...props} rows={shown} unconfirmed={unconfirmed} />
          </ReadRows>
        )}
        {path !== undefined && <LoadMore of="issues" next={read.next} />}
      </div>
    </section>
  )
}

const NO_ROWS: readonly ListedIssue[] = []
/** A list is shown also when it is empty: cards are dropped there. */
const ONE_ROW = [undefined]

interface CardsProps extends BoardListProps {
  rows: readonly ListedIssue[]
  unconfirmed: ReadonlySet<number>
}

function Cards({ rows, list, lists, showsProject, unconfirmed, dragged, helpId, onMove }: CardsProps) {
  if (rows.length === 0) return <p class={styles['empty']}>No issues</p>
  return (
    <ul class={styles['rows']} aria-label={`Issues in ${list.name}`}>
      {rows.map((issue) => (
        <BoardCard
          key={issue.id}
          issue={issue}
          list={list}
          lists={lists}
          showsProject={showsProject}
          isLifted={dragged?.issue.id === issue.id && dragged.to === list.key}
          isUnconfirmed={unconfirmed.has(issue.id)}
          helpId={helpId}
          onMove={onMove && ((to, end) => onMove(issue, to, end))}
        />
      ))}
    </ul>
  )
}

function ListName({ list: { kind, name, record } }: { list: ShownList }) {
  if (record?.label) return <LabelChip label={record.label} />
  const icon = {
    open: CircleDot,
    closed: CircleCheck,
    milestone: Milestone,
    label: undefined,
    assignee: undefined,
  }[kind]
  return (
    <span class={classNames(styles['plain'], styles[kind])}>
      {icon && <Icon icon={icon} size={15} />}
      {record?.assignee && <Avatar name={name} url={record.assignee.avatar_url} size={20} />}
      <span>{name}</span>
    </span>
  )
}
