import { useEffect, useRef, useState } from 'preact/hooks'

import { MINUTE } from '../../lib/time-units.js'
import { requestPage } from '../api/client.js'
import { patchRows, type ReadList, useRead } from '../api/use-read.js'
import { useLive } from '../live/use-live.js'
import { useSoon } from '../live/use-soon.js'
import { queryText } from './filter-words.js'
import { newsOfList } from './news-of-list.js'

interface Followed<Row> {
  /** The list in the API, below its project or group. */
  kind: 'issues' | 'merge_requests'
  /** Path of the project or group in the API; null for records of the user. */
  base: string | null
  /** Parameters of the API that hold in any case. */
  fixed: readonly (readonly [string, string])[]
  /** The first page of the list. */
  path: string
  list: ReadList<Row>
  /** Called when records have come, gone or changed their state. */
  onCounts: () => void
}

/** What has come while the list is read. `failed`: something has changed, and could not be read. */
export interface ListNews {
  unseen: number
  /** IDs of shown records that were deleted, or that the reader may not see any more. */
  gone: ReadonlySet<number>
  failed: boolean
  show: () => void
}

const NO_NEWS: Omit<ListNews, 'show'> = { unseen: 0, gone: new Set(), failed: false }

interface Row {
  id: number
  iid: number
  state: string
}

/**
 * Follows a list without moving it: rows that have changed are replaced in their places, and those that have come are
 * counted until the reader wants them.
 */
export function useListNews<Shape extends Row>(followed: Followed<Shape>): ListNews {
  const { kind, base, fixed, path, list, onCounts } = followed
  const [news, setNews] = useState(NO_NEWS)
  const changed = useRef(new Set<number>())
  useEffect(() => setNews(NO_NEWS), [path])
  const show = () => {
    setNews(NO_NEWS)
    void list.result.refetch()
    onCounts()
  }

  const read = async () => {
    const ids = changed.current
    changed.current = new Set()
    const { rows, hasMore } = list
    const page = (await requestPage<Shape>(path)).rows
    const { unseen, elsewhere } = newsOfList({ rows, hasMore }, page, ids)
    const others = elsewhere.length === 0 ? [] : (await requestPage<Shape>(pathOf(elsewhere))).rows
    if (latestPath.current !== path) return
    const now = new Map([...page, ...others].map((row) => [row.id, row]))
    if (unseen > 0 || rows.some(({ id, state }) => (now.get(id)?.state ?? state) !== state)) onCounts()
    // Nobody reads an empty list.
    if (rows.length === 0) void list.result.refetch()
    else patchRows<Shape>(path, (row) => now.get(row.id) ?? row)
    const missing = elsewhere.slice(0, MAX_READ).flatMap(({ id }) => (now.has(id) ? [] : [id]))
    if (missing.length > 0) onCounts()
    setNews((known) =>
      rows.length === 0 ? NO_NEWS : { unseen, failed: false, gone: new Set([...known.gone, ...missing]) },
    )
  }
  const pathOf = (rows: readonly Shape[]) =>
    `${base ?? ''}/${kind}?${queryText([
      ...fixed,
      ...rows.slice(0, MAX_READ).map(({ iid }) => ['iids[]', String(iid)] as const),
      ['state', 'all'],
      ['with_labels_details', 'true'],
      ['per_page', String(MAX_READ)],
    ])}`
  const latestPath = useRef(path)
  latestPath.current = path

  const readSoon = useSoon(() => {
    // The reader decides when to try again.
    read().catch(() => setNews((known) => ({ ...known, failed: true })))
  })
  const onChanged = ({ id }: { id: number }) => {
    changed.current.add(id)
    readSoon()
  }
  const owner = useRead<{ id: number }>(base ?? undefined, { staleTime: MINUTE }).data
  const topic =
    base === null
      ? 'me'
      : owner && `${kind.replace('_', '-')}/${base.startsWith('/groups/') ? 'group' : 'project'}/${owner.id}`
  useLive(
    topic === undefined ? [] : [topic],
    kind === 'issues'
      ? { issue: onChanged, 'issue-deleted': onChanged }
      : { 'merge-request': onChanged, 'merge-request-deleted': onChanged },
    readSoon,
  )
  return { ...news, show }
}

/** Rows of a response. */
const MAX_READ = 100
