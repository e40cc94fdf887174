import { useEffect, useMemo, useRef, useState } from 'preact/hooks'

import { queryOf } from '../../addresses/address-of.js'
import type { TraceSearchEnd, TraceSearchHit } from '../../coordinator/ci/jobs/trace/schema.js'
import { request, RequestError, requestLines } from '../api/client.js'
import { notifyError } from '../frame/notices.js'
import { nextErrorLine } from './next-error.js'

/** A line that matches, with the positions of the matches in its plain text. */
interface Hit {
  line: number
  ranges: [number, number][]
}

type SearchLine = TraceSearchHit | { searched_to: number } | TraceSearchEnd

/** Typing has paused when no key has been pressed for so long. */
const PAUSE_MILLISECONDS = 80
/** A text of so many characters that comes after a pause, such as by pasting, is searched at once. */
const LEAST_AT_ONCE = 3
const MAX_HITS = 5000

export interface LogSearch {
  text: string
  setText: (text: string) => void
  /** Starts what searches on the server, so that the first search need not wait for it. */
  prepare: (lastLine: number) => void
  hits: readonly Hit[]
  /** Index of the hit that is shown. */
  current: number
  isSearching: boolean
  /** There are more hits than are kept. */
  hasMore: boolean
  hitAt: (line: number) => readonly [number, number][] | undefined
  move: (step: number) => void
  /** Shows the next line after `after` that reports an error, or the failing one. Returns it. */
  nextError: (after: number, failingLine: number | null) => Promise<number | undefined>
}

/**
 * Searches a log on the server, as the reader types.
 * @param path of the log in the API
 * @param show shows a line
 */
export function useLogSearch(path: string, show: (line: number) => void): LogSearch {
  const [text, setText] = useState('')
  const [hits, setHits] = useState<readonly Hit[]>([])
  const [current, setCurrent] = useState(0)
  const [isSearching, setSearching] = useState(false)
  const [hasMore, setMore] = useState(false)
  const changedAt = useRef(Number.NEGATIVE_INFINITY)
  const running = useRef<AbortController | undefined>(undefined)
  const shown = useRef(show)
  shown.current = show

  useEffect(() => {
    setHits([])
    setCurrent(0)
    setMore(false)
    if (text === '') return undefined
    const controller = new AbortController()
    running.current = controller
    const now = performance.now()
    const isAtOnce = text.length >= LEAST_AT_ONCE && now - changedAt.current > PAUSE_MILLISECONDS
    changedAt.current = now
    const timer = setTimeout(() => void search(controller.signal), isAtOnce ? 0 : PAUSE_MILLISECONDS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }

    async function search(signal: AbortSignal): Promise<void> {
      const found: Hit[] = []
      let drawn = 0
      try {
        for await (const response of requestLines<SearchLine>(
          `${path}/search${queryOf({ q: text, limit: MAX_HITS })}`,
          signal,
        )) {
          if (!('line' in response)) continue
          const { line, offset, ranges } = response
          found.push({ line, ranges: ranges.map(([start, end]) => [start + offset, end + offset]) })
          if (found.length === 1) shown.current(response.line)
          // The first hits at once, later ones in larger steps.
          if (found.length < 20 || found.length >= drawn * 2) {
            drawn = found.length
            setHits([...found])
          }
        }
      } catch (error) {
        if (!signal.aborted) report(error)
      } finally {
        if (!signal.aborted) {
          setHits([...found])
          setMore(found.length === MAX_HITS)
          setSearching(false)
        }
      }
    }
  }, [text, path])

  const byLine = useMemo(() => new Map(hits.map(({ line, ranges }) => [line, ranges])), [hits])
  const findError = async (from: number): Promise<number | undefined> => {
    for await (const response of requestLines<SearchLine>(
      `${path}/search${queryOf({ errors: true, from, limit: 1 })}`,
    )) {
      if ('line' in response) return response.line
    }
    return undefined
  }
  return {
    text,
    setText: (wanted) => {
      if (wanted === text) return
      // Before the effect does it: a search that ends in between would end the new one for the reader.
      running.current?.abort()
      setText(wanted)
      // Also during the pause before the search, so that the page does not say yet that nothing was found.
      setSearching(wanted !== '')
      setHits([])
    },
    prepare: (lastLine) => {
      // The search of the last line alone costs nothing. It may fail: the one of the reader reports it.
      const query = queryOf({ q: 'x', from: Math.max(1, lastLine), limit: 1 })
      request(`${path}/search${query}`).catch(ignoreRefusal)
    },
    hits,
    current,
    isSearching,
    hasMore,
    hitAt: (line) => byLine.get(line),
    move: (step) => {
      if (hits.length === 0) return
      const next = (current + step + hits.length) % hits.length
      setCurrent(next)
      const hit = hits[next]
      if (hit) show(hit.line)
    },
    nextError: async (after, failingLine) => {
      try {
        const line = await nextErrorLine({ after, failingLine, find: findError })
        if (line !== undefined) shown.current(line)
        return line
      } catch (error) {
        report(error)
        return undefined
      }
    },
  }
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof RequestError)) throw error
}

function report(error: unknown): void {
  if (!(error instanceof RequestError)) throw error
  notifyError(error)
}
