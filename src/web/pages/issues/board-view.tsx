import { useCallback, useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'

import type { Board } from '../../../coordinator/planning/boards/schema.js'
import type { ListedIssue } from '../../../coordinator/planning/issues/record-schema.js'
import { MINUTE } from '../../../lib/time-units.js'
import { request, requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { refresh, useRead } from '../../api/use-read.js'
import { notifyError } from '../../frame/notices.js'
import { ConfirmDialog } from '../../kit/dialog.js'
import { useLive } from '../../live/use-live.js'
import { useSoon } from '../../live/use-soon.js'
import { queryText } from '../../planned/filter-words.js'
import { BoardColumn } from './board-column.js'
import { listsOf, queryOfList, type ShownList } from './board-lists.js'
import { NewIssueDialog } from './board-new-issue.js'
import styles from './board-view.module.css'
import { type CardMove, changeBetween, issueAfter, neighborsAt } from './card-moves.js'
import { ownerApi, type PlanOwner } from './plan-owner.js'
import { focusCard, useCardDrag, wordsOf } from './use-card-drag.js'
import { useCardMoves } from './use-card-moves.js'

interface BoardViewProps {
  owner: PlanOwner
  board: Board
  /** Parameters of the API that the reader asks for. */
  filter: [name: string, value: string][]
  mayManage: boolean
  reason: string | undefined
  onChanged: () => void
}

/** The lists of a board, between which issues are moved. */
export function BoardView({ owner, board, filter, mayManage, reason, onChanged }: BoardViewProps) {
  const base = ownerApi(owner)
  const helpId = useId()
  const root = useRef<HTMLDivElement>(null)
  const [status, announce] = useState('')
  const [open, setOpen] = useState<{ kind: 'new' | 'delete'; list: ShownList }>()
  const lists = useMemo(() => listsOf(board), [board])
  const words = JSON.stringify(filter)
  const paths = useMemo(
    () =>
      new Map(
        lists.map((list) => {
          const query = queryOfList(board, list, JSON.parse(words) as [string, string][])
          return [list.key, query && `${base}/issues?${queryText(query)}`]
        }),
      ),
    [base, board, lists, words],
  )
  const { rowsOf, onRowsOf } = useShownRows()
  const { moves, move } = useCardMoves(announce, ({ issue, from }) => {
    // The card is another element in the list to which it goes back.
    if (document.activeElement === document.body) focusCard(root.current, from, issue.id)
  })
  const mayMove = mayManage && reason === undefined

  const place = (issue: ListedIssue, [fromKey, toKey]: [string, string], index: number): void => {
    const [from, to] = [fromKey, toKey].map((key) => lists.find((list) => list.key === key))
    if (!from || !to) return
    const others = rowsOf(toKey).filter(({ id }) => id !== issue.id)
    const isSame = from === to && (to.kind === 'closed' || rowsOf(toKey)[index]?.id === issue.id)
    if (isSame) return announce(`${wordsOf(issue)} is back where it was.`)
    const { fields, leaves } = changeBetween(from, to, issue)
    const next = issueAfter(from, to, issue)
    const wanted: CardMove = { issue: next, from: fromKey, to: toKey, leaves, ...neighborsAt(others, index) }
    move(
      wanted,
      fields,
      [fromKey, toKey].flatMap((key) => paths.get(key) ?? []),
    )
    announce(`${wordsOf(issue)} is in ${to.name}, ${index + 1} of ${others.length + 1}.`)
  }
  const drag = useCardDrag({
    board: root,
    lists,
    rowsOf,
    mayMove,
    onDrop: ({ issue, from, to, index }) => place(issue, [from, to], index),
    announce,
  })
  const dragged = drag && moveOf(drag, lists, rowsOf)
  useChangesOfOthers(owner, [...paths.values()], drag !== undefined)

  const changeLists = useAction(async (act: () => Promise<unknown>) => {
    await act()
    setOpen(undefined)
    onChanged()
  }, notifyError)
  const pathOf = ({ key }: ShownList) => `${base}/boards/${board.id}/lists/${key}`
  const editOf = (list: ShownList) => {
    if (!mayManage || !list.record) return undefined
    const { position } = list.record
    return {
      shift: (step: -1 | 1) =>
        void changeLists.run(() =>
          requestJson(pathOf(list), { method: 'PUT', body: { position: position + step } }),
        ),
      isFirst: position === 0,
      isLast: position === board.lists.length - 1,
      delete: () => setOpen({ kind: 'delete', list }),
    }
  }
  return (
    <>
      <div ref={root} class={styles['board']} data-dragging={drag?.by}>
        {lists.map((list) => (
          <BoardColumn
            key={list.key}
            list={list}
            lists={lists}
            path={paths.get(list.key)}
            showsProject={owner.kind === 'group'}
            moves={moves}
            dragged={dragged}
            helpId={mayMove ? helpId : undefined}
            onRows={onRowsOf(list.key)}
            onMove={
              mayMove
                ? (issue, to, end) => {
                    const others = rowsOf(to.key).filter(({ id }) => id !== issue.id)
                    place(issue, [list.key, to.key], end === 'first' ? 0 : others.length)
                    requestAnimationFrame(() => focusCard(root.current, to.key, issue.id))
                  }
                : undefined
            }
            onNew={mayManage && list.kind !== 'closed' ? () => setOpen({ kind: 'new', list }) : undefined}
            edit={editOf(list)}
            reason={reason}
          />
        ))}
      </div>
      {mayMove && (
        <p id={helpId} class={styles['help']}>
          Drag an issue to another list or place. With keys: Space picks up the issue in focus, the arrow keys
          move it, Enter drops it, Escape puts it back.
        </p>
      )}
      <div class="visually-hidden" role="status">
        {status}
      </div>
      {open?.kind === 'new' && (
        <NewIssueDialog
          owner={owner}
          board={board}
          list={open.list}
          before={rowsOf(open.list.key)[0]?.id}
          onClose={() => setOpen(undefined)}
          onCreated={() => void refresh(...[...paths.values()].flatMap((path) => path ?? []))}
        />
      )}
      {open?.kind === 'delete' && (
        <ConfirmDialog
          title={`Delete the list ${open.list.name}?`}
          action="Delete list"
          isBusy={changeLists.isBusy}
          onConfirm={() => void changeLists.run(() => request(pathOf(open.list), { method: 'DELETE' }))}
          onClose={() => setOpen(undefined)}
        >
          <p>Its issues stay as they are. They are then in the list of open issues.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** The move that a drag would be if the card were dropped now. */
function moveOf(
  { issue, from, to, index }: NonNullable<ReturnType<typeof useCardDrag>>,
  lists: readonly ShownList[],
  rowsOf: (key: string) => readonly ListedIssue[],
): CardMove | undefined {
  const [source, target] = [from, to].map((key) => lists.find((list) => list.key === key))
  if (!source || !target) return undefined
  const others = rowsOf(to).filter(({ id }) => id !== issue.id)
  return {
    issue,
    from,
    to,
    leaves: changeBetween(source, target, issue).leaves,
    ...neighborsAt(others, index),
  }
}

/** What the lists show, for moves between them. */
function useShownRows() {
  const rows = useRef(new Map<string, readonly ListedIssue[]>())
  const handlers = useRef(new Map<string, (shown: readonly ListedIssue[]) => void>())
  const rowsOf = useCallback((key: string) => rows.current.get(key) ?? [], [])
  const onRowsOf = useCallback((key: string) => {
    const handler =
      handlers.current.get(key) ?? ((shown: readonly ListedIssue[]) => void rows.current.set(key, shown))
    handlers.current.set(key, handler)
    return handler
  }, [])
  return { rowsOf, onRowsOf }
}

/** Reads the lists again after changes of others, but not while a card is dragged. */
function useChangesOfOthers(
  owner: PlanOwner,
  paths: readonly (string | undefined)[],
  isDragging: boolean,
): void {
  const [isOutdated, setOutdated] = useState(false)
  const record = useRead<{ id: number }>(ownerApi(owner), { staleTime: MINUTE }).data
  const outdate = useSoon(() => setOutdated(true))
  useLive(record ? [`issues/${owner.kind}/${record.id}`] : [], { issue: outdate }, outdate)
  const known = useRef(paths)
  known.current = paths
  useEffect(() => {
    if (!isOutdated || isDragging) return
    setOutdated(false)
    void refresh(...known.current.flatMap((path) => path ?? []))
  }, [isOutdated, isDragging])
}
