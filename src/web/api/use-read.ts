import {
  InfiniteQueryObserver,
  type InfiniteQueryObserverResult,
  QueryObserver,
  type QueryObserverResult,
} from '@tanstack/query-core'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'

import { change, readAgain, readWithChanges } from './arriving-changes.js'
import { type ListPage, requestJson, requestPage } from './client.js'
import { queryClient } from './query-client.js'

export interface ReadOptions {
  /** Milliseconds until data counts as old and is read again when it is shown. */
  staleTime?: number
  /** Milliseconds between repeated reads, for what no event announces; false reads once. */
  refetchInterval?: number | false
  /** Keeps the data of the previous path until that of the new one is there. */
  keepsPrevious?: boolean
}

/** What is known of a response. */
export interface Reading<Data> {
  data: Data | undefined
  error: Error | null
  refetch: () => unknown
}

/**
 * Reads JSON from the API, once for all components that ask for the same path.
 * @param path below the prefix of the API; undefined reads nothing yet
 */
export function useRead<Data>(
  path: string | undefined,
  { keepsPrevious = false, ...options }: ReadOptions = {},
): QueryObserverResult<Data> {
  const all = {
    queryKey: [path],
    queryFn: ({ signal }: { signal: AbortSignal }) => read<Data>(path ?? '', signal),
    enabled: path !== undefined,
    ...(keepsPrevious && { placeholderData: (previous: Data | undefined) => previous }),
    ...options,
  }
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the effect below gives it later options
  const observer = useMemo(() => new QueryObserver<Data>(queryClient, all as never), [])
  useEffect(() => {
    observer.setOptions(all as never)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `all` is another object in each render, made of these
  }, [observer, path, options.staleTime, options.refetchInterval])
  const result = observer.getOptimisticResult(queryClient.defaultQueryOptions(all as never))
  useRender(observer, result)
  return result
}

export interface ReadList<Row> {
  rows: Row[]
  total: number | undefined
  result: InfiniteQueryObserverResult<{ pages: ListPage<Row>[] }>
  hasMore: boolean
  /** Undefined where there is no other page. */
  next: NextPage | undefined
}

/** The page after those that a list has. */
export interface NextPage {
  isBusy: boolean
  /** Why it could not be read; null while it is being read again. */
  error: Error | null
  /** Reads it, unless it is being read. */
  read: () => void
}

/** Reads a list page by page, following the links of the responses. */
export function useReadList<Row>(path: string | undefined, options: ReadOptions = {}): ReadList<Row> {
  const all = {
    queryKey: [path, 'pages'],
    queryFn: ({ pageParam, signal }: { pageParam: string; signal: AbortSignal }) =>
      requestPage<Row>(pageParam, signal),
    initialPageParam: path ?? '',
    getNextPageParam: (last: ListPage<Row>) => last.next,
    enabled: path !== undefined,
    staleTime: options.staleTime,
    refetchInterval: options.refetchInterval,
    ...(options.keepsPrevious && { placeholderData: (previous: unknown) => previous }),
  }
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the effect below gives it later options
  const observer = useMemo(() => new InfiniteQueryObserver(queryClient, all as never), [])
  useEffect(() => {
    observer.setOptions(all as never)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `all` is another object in each render, made of these
  }, [observer, path, options.staleTime, options.refetchInterval])
  const result = observer.getOptimisticResult(
    queryClient.defaultQueryOptions(all as never) as never,
  ) as unknown as ReadList<Row>['result']
  useRender(observer, result)
  const pages = result.data?.pages
  return {
    rows: useMemo(() => pages?.flatMap(({ rows }) => rows) ?? [], [pages]),
    total: pages?.[0]?.total,
    result,
    hasMore: result.hasNextPage,
    next: result.hasNextPage
      ? {
          isBusy: result.isFetchingNextPage,
          error: result.isFetchNextPageError && !result.isFetchingNextPage ? result.error : null,
          read: () => {
            if (!result.isFetchingNextPage) void observer.fetchNextPage()
          },
        }
      : undefined,
  }
}

interface Observer {
  subscribe: (listener: () => void) => () => void
  updateResult: () => void
  getCurrentResult: () => unknown
}

/** Renders the component again whenever the observer reports. */
function useRender(observer: Observer, rendered: unknown): void {
  const [, setCount] = useState(0)
  useEffect(() => {
    const render = () => setCount((count) => count + 1)
    const unsubscribe = observer.subscribe(render)
    // What has arrived since the component was rendered is not reported any more.
    observer.updateResult()
    if (observer.getCurrentResult() !== rendered) render()
    return unsubscribe
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `rendered` is of the first render: the observer reports what comes later
  }, [observer])
}

/** Reads again when the value changes: what is read is then out of date. */
export function useRefetchOn(value: unknown, { refetch }: Pick<Reading<unknown>, 'refetch'>): void {
  const known = useRef(value)
  useEffect(() => {
    if (known.current !== value) void refetch()
    known.current = value
  }, [value, refetch])
}

/** Reads JSON outside of a component, into the same cache; what was read a moment ago is not read again. */
export function readOnce<Data>(path: string): Promise<Data> {
  return queryClient.query({
    queryKey: [path],
    queryFn: ({ signal }) => read<Data>(path, signal),
  })
}

function read<Data>(path: string, signal: AbortSignal): Promise<Data> {
  return readWithChanges(path, () => requestJson<Data>(path, { signal }))
}

/** Marks what was read below these paths as old, and reads again what is shown. */
export function refresh(...prefixes: string[]): Promise<void> {
  return readAgain(queryClient, prefixes)
}

/** Changes what was read from a path, or is being read. */
export function patch<Data>(path: string, by: (response: Data) => Data): void {
  change(queryClient, path, by)
}

/** Replaces rows of a list that was read page by page, in their places. */
export function patchRows<Row>(path: string, by: (row: Row) => Row): void {
  queryClient.setQueryData<{ pages: ListPage<Row>[] }>(
    [path, 'pages'],
    (known) =>
      known && { ...known, pages: known.pages.map((page) => ({ ...page, rows: page.rows.map(by) })) },
  )
}
