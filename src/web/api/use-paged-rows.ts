import { useEffect, useRef, useState } from 'preact/hooks'

import { type Query, queryOf } from '../../addresses/address-of.js'
import { type ListPage, requestPage } from './client.js'
import type { Failure } from './failure.js'
import { queryClient } from './query-client.js'

const PER_PAGE = 50

export interface PagedRows<Row> {
  /** Number of rows, as far as it is known. */
  count: number
  /** The row at an index; undefined until its page is there. */
  rowAt: (index: number) => Row | undefined
  /** Reads the pages of these rows, the end not included. */
  show: (first: number, end: number) => void
  /** Why there are no rows at all. */
  error: Error | null
  /** Why rows after the first ones are missing. */
  failure: Failure | undefined
  isLoading: boolean
  /** Reads the pages in sight again. */
  refetch: () => void
}

/**
 * A list whose rows are read by page number, so that a scroll bar can reach any of them.
 * @param path below the prefix of the API, without a query
 */
export function usePagedRows<Row>(path: string, query: Query): PagedRows<Row> {
  const address = (page: number) => path + queryOf({ ...query, per_page: PER_PAGE, page })
  const list = address(0)
  const [pages, setPages] = useState<ReadonlyMap<number, ListPage<Row>>>(new Map())
  const [errors, setErrors] = useState<ReadonlyMap<number, Error>>(new Map())
  const shown = useRef({ list, wanted: new Set([1]) })
  if (shown.current.list !== list) shown.current = { list, wanted: new Set([1]) }

  const read = (page: number, isFresh: boolean) => {
    const key = [address(page), 'page']
    queryClient
      .query({
        queryKey: key,
        queryFn: ({ signal }) => requestPage<Row>(address(page), signal),
        staleTime: isFresh ? 0 : 5000,
      })
      .then(
        (response) => {
          if (shown.current.list !== list) return
          setErrors((known) => new Map([...known].filter(([failed]) => failed !== page)))
          setPages((known) => new Map([...known, [page, response]]))
        },
        (thrown: unknown) => {
          if (shown.current.list === list) setErrors((known) => new Map([...known, [page, thrown as Error]]))
        },
      )
  }
  useEffect(() => {
    setPages(new Map())
    setErrors(new Map())
    read(1, false)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `read` is another function in each render; `list` has all that it depends on
  }, [list])

  const refetch = () => {
    for (const page of shown.current.wanted) read(page, true)
  }
  const first = pages.get(1)
  const error = first ? null : (errors.get(1) ?? null)
  // Rows that are shown and could not be read again stay.
  const [missing] = [...errors].flatMap(([page, thrown]) => (pages.has(page) ? [] : [thrown]))
  const last = Math.max(0, ...pages.keys())
  const known = (last - 1) * PER_PAGE + (pages.get(last)?.rows.length ?? 0)
  // Without a total, the list grows as its pages are read.
  const count = first?.total ?? Math.max(0, known + (pages.get(last)?.next === undefined ? 0 : PER_PAGE))
  return {
    count,
    rowAt: (index) => pages.get(Math.floor(index / PER_PAGE) + 1)?.rows[index % PER_PAGE],
    show: (from, end) => {
      const wanted = new Set<number>()
      for (let page = Math.floor(from / PER_PAGE) + 1; (page - 1) * PER_PAGE < end; page += 1)
        wanted.add(page)
      for (const page of wanted) if (!shown.current.wanted.has(page) && page > 1) read(page, false)
      shown.current.wanted = new Set([...shown.current.wanted, ...wanted])
    },
    error,
    failure: first && missing && { error: missing, retry: refetch },
    isLoading: first === undefined && error === null,
    refetch,
  }
}
