import { useEffect, useRef, useState } from 'preact/hooks'

import type { DiscussedNote, Discussion } from '../../coordinator/planning/discussions/schema.js'
import { boot } from '../api/boot.js'
import type { Failure } from '../api/failure.js'
import { type PagedRows, usePagedRows } from '../api/use-paged-rows.js'
import { useLive } from '../live/use-live.js'
import { type Discussed, discussedPath, LIVE_KINDS } from './discussed.js'

/** Discussions of one page of the API. */
const PAGE = 50

export interface Discussions {
  /** Discussions from the first one on, and those at the end. */
  first: Discussion[]
  last: Discussion[]
  /** Number of discussions between them, which are not read yet. */
  hidden: number
  /** Reads the next ones of them. */
  more: () => void
  isLoading: boolean
  error: Error | null
  /** Why some of the discussions that are shown are missing. */
  failure: Failure | undefined
  /** Notes of others that have come since the reader has looked; they are not among the discussions. */
  unseen: DiscussedNote[]
  /** Shows them. */
  showUnseen: () => void
  /** Reads everything in sight again, after a change of the user. */
  reload: () => void
}

/**
 * The discussions of a record: the first page, the last one, and on request those between them. What
 * others write later is held back until the reader wants it, so that nothing moves under the reader.
 * @param onChanged called when something else of the record may have changed
 */
export function useDiscussions(of: Discussed, onChanged: () => void): Discussions {
  const list = usePagedRows<Discussion>(`${discussedPath(of)}/discussions`, { with_details: true })
  const [shown, setShown] = useState(PAGE)
  const seenUpTo = useSeen(list)
  const { count } = list
  useEffect(() => {
    if (count > PAGE) list.show(Math.max(0, count - PAGE), count)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `list` is another object in each render; pages are read once
  }, [count])
  const reload = () => {
    list.refetch()
    onChanged()
  }
  const isThis = ({ id }: { id: number }) => {
    if (id === of.id) reload()
  }
  const kind = LIVE_KINDS[of.kind]
  useLive([`${kind}/${of.id}`], { [kind]: isThis }, reload)

  const rowsOf = (from: number, end: number) =>
    Array.from({ length: Math.max(0, end - from) }, (_, index) => list.rowAt(from + index)).filter(
      (row) => row !== undefined,
    )
  // The end is a page of its own only where something is between it and the beginning.
  const tail = Math.max(shown, Math.floor(Math.max(0, count - 1 - PAGE / 2) / PAGE) * PAGE)
  const first = rowsOf(0, shown)
  const last = rowsOf(tail, count)
  const isSeen = (note: DiscussedNote) =>
    note.id <= seenUpTo.current || (note.author !== null && note.author.id === boot.user?.id)
  const seenOf = (rows: Discussion[]) =>
    rows.map((row) => ({ ...row, notes: row.notes.filter(isSeen) })).filter(({ notes }) => notes.length > 0)
  const unseen = [...first, ...last].flatMap(({ notes }) => notes).filter((note) => !isSeen(note))
  return {
    first: seenOf(first),
    last: seenOf(last),
    hidden: Math.max(0, tail - Math.max(shown, 0)),
    more: () => {
      const end = Math.min(tail, shown + PAGE)
      list.show(shown, end)
      setShown(end)
    },
    isLoading: list.isLoading,
    error: list.error,
    failure: list.failure,
    unseen,
    showUnseen: () => seenUpTo.raise(Math.max(...unseen.map(({ id }) => id))),
    reload,
  }
}

/** The newest note when the pages were first there; later ones are new to the reader. */
function useSeen(list: PagedRows<Discussion>): { current: number; raise: (id: number) => void } {
  const [seen, setSeen] = useState(Infinity)
  const isReady =
    !list.isLoading && list.error === null && (list.count === 0 || list.rowAt(list.count - 1) !== undefined)
  const newest = useRef(0)
  for (let index = 0; seen === Infinity && index < list.count; index += 1) {
    for (const { id } of list.rowAt(index)?.notes ?? []) newest.current = Math.max(newest.current, id)
  }
  useEffect(() => {
    if (isReady) setSeen((known) => Math.min(known, newest.current))
  }, [isReady])
  return { current: seen, raise: setSeen }
}
