import type { Board, BoardList } from '../../../coordinator/planning/boards/schema.js'

/** A list of a board: that of open issues without another list, one of a label, person or milestone, or that of closed ones. */
export interface ShownList {
  /** Unique within the board. */
  key: string
  kind: 'open' | 'label' | 'assignee' | 'milestone' | 'closed'
  name: string
  /** Undefined for the lists of open and closed issues. */
  record: BoardList | undefined
}

/** The lists of a board, in their order. */
export function listsOf(board: Board): ShownList[] {
  return [
    ...(board.hide_backlog_list
      ? []
      : [{ key: 'open', kind: 'open', name: 'Open', record: undefined } as const]),
    ...board.lists.map((record): ShownList => ({
      key: String(record.id),
      kind: record.label ? 'label' : record.assignee ? 'assignee' : 'milestone',
      name: record.label?.name ?? record.assignee?.name ?? record.milestone?.title ?? '',
      record,
    })),
    ...(board.hide_closed_list
      ? []
      : [{ key: 'closed', kind: 'closed', name: 'Closed', record: undefined } as const]),
  ]
}

type Parameters = [name: string, value: string][]

/**
 * The query of the API for the issues of a list.
 * @param filter parameters that the reader asks for
 * @returns undefined if no issue can be in the list: the filter asks for another milestone, for example
 */
export function queryOfList(board: Board, list: ShownList, filter: Parameters): Parameters | undefined {
  const wanted = [...scopeOf(board), ...subjectOf(list)]
  const combined = combine([...wanted, ...filter])
  if (!combined) return undefined
  const isClosed = list.kind === 'closed'
  return [
    ...combined,
    ...(list.kind === 'open' ? board.lists.flatMap(without) : []),
    ['state', isClosed ? 'closed' : 'opened'],
    ['with_labels_details', 'true'],
    ['order_by', isClosed ? 'updated_at' : 'relative_position'],
    ['sort', isClosed ? 'desc' : 'asc'],
    ['per_page', '20'],
  ]
}

/** What all issues of a board have. */
function scopeOf({ labels, assignee, milestone, weight }: Board): Parameters {
  return [
    ...labels.map(({ name }): [string, string] => ['labels[]', name]),
    ...(assignee ? [['assignee_username[]', assignee.username] as [string, string]] : []),
    ...(milestone ? [['milestone', milestone.title] as [string, string]] : []),
    ...(weight === null ? [] : [['weight', String(weight)] as [string, string]]),
  ]
}

function subjectOf({ record }: ShownList): Parameters {
  if (record?.label) return [['labels[]', record.label.name]]
  if (record?.assignee) return [['assignee_username[]', record.assignee.username]]
  return record?.milestone ? [['milestone', record.milestone.title]] : []
}

function without({ label, assignee, milestone }: BoardList): Parameters {
  if (label) return [['not[labels][]', label.name]]
  if (assignee) return [['not[assignee_username][]', assignee.username]]
  return milestone ? [['not[milestone][]', milestone.title]] : []
}

/** Which word asks for any value of a parameter, and which one for none. */
const ANY = 'Any'
const NONE = 'None'

/** Takes together what several ask for. Undefined if nothing can have it all. */
function combine(parameters: Parameters): Parameters | undefined {
  const people = parameters.filter(([name]) => name === 'assignee_username[]')
  const result: Parameters = []
  for (const [name, value] of parameters) {
    if (name === 'assignee_id' && people.length > 0) {
      if (value === NONE) return undefined
      continue
    }
    const others = parameters.filter((other) => other[0] === name && other[1] !== value)
    if (name === 'labels[]' && others.length > 0) {
      if (value === NONE) return undefined
      if (value === ANY) continue
    }
    if ((name === 'milestone' || name === 'weight') && others.length > 0) {
      if (value === ANY) continue
      if (others.some((other) => other[1] !== ANY)) return undefined
    }
    if (!result.some((known) => known[0] === name && known[1] === value)) result.push([name, value])
  }
  return result
}
