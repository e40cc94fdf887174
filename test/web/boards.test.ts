import { describe, expect, it } from 'vitest'

import type { Board, BoardList } from '../../src/coordinator/planning/boards/schema.js'
import type { ListedIssue } from '../../src/coordinator/planning/issues/record-schema.js'
import { listsOf, queryOfList } from '../../src/web/pages/issues/board-lists.js'
import {
  type CardMove,
  changeBetween,
  fieldsIn,
  issueAfter,
  rowsAfter,
} from '../../src/web/pages/issues/card-moves.js'

const ADA = { id: 1, username: 'ada', name: 'Ada' }
const DOING = { id: 10, name: 'doing' }
const lists = [
  { id: 1, label: DOING },
  { id: 2, label: { id: 11, name: 'a, b' } },
  { id: 3, assignee: ADA },
  { id: 4, milestone: { id: 20, title: 'v1' } },
].map((list) => ({ label: null, assignee: null, milestone: null, ...list })) as BoardList[]

function boardWith(settings: Partial<Board> = {}): Board {
  return { labels: [], assignee: null, milestone: null, weight: null, lists, ...settings } as Board
}

function issueWith(id: number, more: object = {}): ListedIssue {
  return { id, labels: [], assignees: [], state: 'opened', ...more } as unknown as ListedIssue
}

/** The list of a board with a key. */
function listOf(key: string) {
  const found = listsOf(boardWith()).find((list) => list.key === key)
  if (!found) throw new Error(`there is no list ${key}`)
  return found
}

describe('a list of a board', () => {
  it('is one of those of the board, between open and closed issues', () => {
    const names = (board: Board) => listsOf(board).map(({ name }) => name)
    expect(names(boardWith())).toEqual(['Open', 'doing', 'a, b', 'Ada', 'v1', 'Closed'])
    expect(names(boardWith({ hide_backlog_list: true, hide_closed_list: true }))).toHaveLength(4)
  })

  it.each([
    ['1', {}, [], 'labels[]=doing'],
    ['3', {}, [['search', 'x']], 'assignee_username[]=ada&search=x'],
    ['closed', { weight: 3 }, [], 'weight=3'],
    [
      'open',
      {},
      [],
      'not[labels][]=doing&not[labels][]=a, b&not[assignee_username][]=ada&not[milestone][]=v1',
    ],
    ['4', { labels: [DOING] }, [['labels[]', 'doing']], 'labels[]=doing&milestone=v1'],
    ['4', {}, [['milestone', 'Any']], 'milestone=v1'],
    ['4', {}, [['milestone', 'v2']], undefined],
    ['closed', { weight: 3 }, [['weight', 'None']], undefined],
    ['1', {}, [['labels[]', 'Any']], 'labels[]=doing'],
    ['1', {}, [['labels[]', 'None']], undefined],
    ['3', {}, [['assignee_id', 'Any']], 'assignee_username[]=ada'],
    ['3', {}, [['assignee_id', 'None']], undefined],
  ])('%s of a board with %j, filtered by %j, asks for %s', (key, settings, filter, query) => {
    const found = queryOfList(
      boardWith(settings as Partial<Board>),
      listOf(key),
      filter as [string, string][],
    )
    const [own] =
      found
        ?.map((pair) => pair.join('='))
        .join('&')
        .split('&state=') ?? []
    expect(own).toBe(query)
  })
})

describe('a move between lists', () => {
  it.each([
    ['open', '1', { add_labels: ['doing'] }, true],
    ['1', '2', { add_labels: ['a, b'], remove_labels: ['doing'] }, true],
    ['1', 'open', { remove_labels: ['doing'] }, true],
    ['1', '3', { assignee_ids: [7, 1] }, false],
    ['3', 'open', { assignee_ids: [7] }, true],
    ['4', '1', { add_labels: ['doing'] }, false],
    ['4', 'open', { milestone_id: null }, true],
    ['open', '4', { milestone_id: 20 }, true],
    ['1', 'closed', { state_event: 'close' }, true],
    ['closed', '1', { state_event: 'reopen', add_labels: ['doing'] }, true],
    ['closed', 'open', { state_event: 'reopen' }, true],
    ['1', '1', {}, true],
  ])('from %s to %s changes %j', (from, to, fields, leaves) => {
    const issue = issueWith(5, { assignees: [{ id: 7 }, ...(from === '3' ? [ADA] : [])] })
    expect(changeBetween(listOf(from), listOf(to), issue)).toEqual({ fields, leaves })
  })

  it('shows the issue as it will be', () => {
    const issue = issueWith(5, { labels: [DOING, { id: 12, name: 'bug' }], assignees: [{ id: 7 }] })
    expect(issueAfter(listOf('1'), listOf('2'), issue).labels).toMatchObject([
      { name: 'bug' },
      { name: 'a, b' },
    ])
    expect(issueAfter(listOf('1'), listOf('3'), issue).assignees).toMatchObject([{ id: 7 }, { id: 1 }])
    expect(issueAfter(listOf('1'), listOf('closed'), issue)).toMatchObject({
      state: 'closed',
      labels: issue.labels,
    })
  })

  it('keeps the issue between its neighbors, also when others have come between them', () => {
    const move = (values: Partial<CardMove>): CardMove => ({
      issue: issueWith(9),
      from: 'a',
      to: 'b',
      leaves: true,
      before: undefined,
      after: undefined,
      ...values,
    })
    const ids = (key: string, rows: number[], ...moves: CardMove[]) =>
      rowsAfter(
        rows.map((id) => issueWith(id)),
        key,
        moves,
      ).map(({ id }) => id)
    expect(ids('b', [1, 2, 3], move({ before: 1, after: 2 }))).toEqual([1, 9, 2, 3])
    expect(ids('b', [1, 4, 2], move({ before: 1, after: 2 }))).toEqual([1, 4, 9, 2])
    expect(ids('b', [1, 3], move({ before: 1, after: 2 }))).toEqual([1, 9, 3])
    expect(ids('b', [9, 1], move({ before: 1 }))).toEqual([1, 9])
    expect(ids('b', [1], move({}))).toEqual([9, 1])
    expect(ids('a', [1, 9], move({}))).toEqual([1])
    expect(ids('a', [1, 9], move({ leaves: false }))).toEqual([1, 9])
    expect(ids('b', [1], move({ after: 1 }), move({ from: 'b', to: 'a' }))).toEqual([1])
  })

  it('a new issue gets what its list and its board have in common', () => {
    const board = boardWith({ labels: [DOING], weight: 2 } as Partial<Board>)
    expect(fieldsIn(board, listOf('1'))).toEqual({ labels: ['doing'], weight: 2 })
    expect(fieldsIn(board, listOf('4'))).toEqual({ labels: ['doing'], milestone_id: 20, weight: 2 })
    expect(fieldsIn(boardWith(), listOf('3'))).toEqual({ assignee_ids: [1] })
  })
})
