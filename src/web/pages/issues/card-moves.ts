import type { Board, BoardList } from '../../../coordinator/planning/boards/schema.js'
import type { ListedIssue } from '../../../coordinator/planning/issues/record-schema.js'
import type { ShownList } from './board-lists.js'

/** What a move of an issue from one list to another changes. */
export interface ListChange {
  /** Fields of `PUT` of the issue; empty if only the order changes. */
  fields: Record<string, unknown>
  /** The issue is no longer in the list that it came from. */
  leaves: boolean
}

/**
 * What changes when an issue goes from one list to another. A label, a person or a milestone replaces one of the same
 * kind; the others stay. So an issue that goes from the list of a label to that of a person is in both.
 */
export function changeBetween(from: ShownList, to: ShownList, issue: ListedIssue): ListChange {
  if (from.key === to.key) return { fields: {}, leaves: true }
  if (to.kind === 'closed') return { fields: { state_event: 'close' }, leaves: true }
  const replaces = from.kind === to.kind || to.kind === 'open'
  return {
    fields: {
      ...(from.kind === 'closed' && { state_event: 'reopen' }),
      ...labelsBetween(from, to, replaces),
      ...assigneesBetween(from, to, replaces, issue),
      ...milestoneBetween(from, to, replaces),
    },
    leaves: replaces || from.kind === 'open' || from.kind === 'closed',
  }
}

function labelsBetween(from: ShownList, to: ShownList, replaces: boolean) {
  return {
    ...(to.record?.label && { add_labels: [to.record.label.name] }),
    ...(replaces && from.record?.label && { remove_labels: [from.record.label.name] }),
  }
}

function assigneesBetween(from: ShownList, to: ShownList, replaces: boolean, { assignees }: ListedIssue) {
  const removed = replaces ? from.record?.assignee?.id : undefined
  const added = to.record?.assignee?.id
  if (removed === undefined && added === undefined) return {}
  const kept = assignees.map(({ id }) => id).filter((id) => id !== removed && id !== added)
  return { assignee_ids: added === undefined ? kept : [...kept, added] }
}

function milestoneBetween(from: ShownList, to: ShownList, replaces: boolean) {
  if (to.record?.milestone) return { milestone_id: to.record.milestone.id }
  return replaces && from.record?.milestone ? { milestone_id: null } : {}
}

/** The issue as it will be, to be shown before the server has confirmed the move. */
export function issueAfter(from: ShownList, to: ShownList, issue: ListedIssue): ListedIssue {
  const { fields } = changeBetween(from, to, issue)
  const ids = fields['assignee_ids'] as number[] | undefined
  const people = to.record?.assignee ? [...issue.assignees, to.record.assignee] : issue.assignees
  const removed = fields['remove_labels'] as string[] | undefined
  const labels = issue.labels.filter(
    (label) =>
      typeof label !== 'string' && label.name !== to.record?.label?.name && !removed?.includes(label.name),
  ) as NonNullable<BoardList['label']>[]
  return {
    ...issue,
    state: to.kind === 'closed' ? 'closed' : 'opened',
    labels: to.record?.label ? [...labels, to.record.label] : labels,
    assignees: ids ? ids.flatMap((id) => people.find((user) => user.id === id) ?? []) : issue.assignees,
  }
}

/** Fields of a new issue that belongs into a list of a board. */
export function fieldsIn(board: Board, { record }: ShownList): Record<string, unknown> {
  const labels = [...board.labels, ...(record?.label ? [record.label] : [])].map(({ name }) => name)
  const assignees = [board.assignee, record?.assignee].flatMap((user) => user?.id ?? [])
  const milestone = record?.milestone ?? board.milestone
  return {
    ...(labels.length > 0 && { labels: [...new Set(labels)] }),
    ...(assignees.length > 0 && { assignee_ids: [...new Set(assignees)] }),
    ...(milestone && { milestone_id: milestone.id }),
    ...(board.weight !== null && { weight: board.weight }),
  }
}

/** An issue that is dragged, or whose move the server has not confirmed yet. */
export interface CardMove {
  issue: ListedIssue
  /** Keys of lists. */
  from: string
  to: string
  leaves: boolean
  /** IDs of the issues that come before and after it where it goes; undefined at an end. */
  before: number | undefined
  after: number | undefined
}

/** The rows of a list after moves, of which the last ones count most. */
export function rowsAfter(
  rows: readonly ListedIssue[],
  key: string,
  moves: readonly CardMove[],
): ListedIssue[] {
  return moves.reduce<ListedIssue[]>(
    (known, move) => {
      if (move.to !== key && !(move.from === key && move.leaves)) return known
      const others = known.filter(({ id }) => id !== move.issue.id)
      return move.to === key ? others.toSpliced(indexIn(others, move), 0, move.issue) : others
    },
    [...rows],
  )
}

/** Between its neighbors, also when others have come between them. */
function indexIn(rows: readonly ListedIssue[], { before, after }: CardMove): number {
  const next = rows.findIndex(({ id }) => id === after)
  if (next !== -1) return next
  const previous = rows.findIndex(({ id }) => id === before)
  if (previous !== -1) return previous + 1
  return before === undefined ? 0 : rows.length
}

/** The neighbors of an issue that goes to an index among the other rows of a list. */
export function neighborsAt(
  others: readonly ListedIssue[],
  index: number,
): Pick<CardMove, 'before' | 'after'> {
  return { before: others[index - 1]?.id, after: others[index]?.id }
}
