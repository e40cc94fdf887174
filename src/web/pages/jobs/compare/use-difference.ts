import { useEffect, useRef, useState } from 'preact/hooks'

import { queryOf } from '../../../../addresses/address-of.js'
import type { TraceLines } from '../../../../coordinator/ci/jobs/trace/schema.js'
import { RequestError, requestJson } from '../../../api/client.js'
import { plainText, styledLines } from '../../../log/styled-text.js'
import { firstDifference, type Section } from './compare-sections.js'

/** Lines of one request. */
const WINDOW = 1000
/** Sections are compared up to here. */
const MAX_LINES = 50_000

/** Lines from the first one that differs. */
export interface Side {
  first: number
  lines: readonly string[]
  style: string
}

export type Difference =
  | { kind: 'reading' }
  | { kind: 'same'; isCut: boolean }
  | { kind: 'different'; before: Side; after: Side }
  | { kind: 'error'; error: RequestError }

interface Part {
  /** The log in the API. */
  path: string
  section: Section
}

const BEFORE = 2
const SHOWN = 12

/** Finds the first line of a section that differs between two attempts of a job. */
export function useDifference(before: Part, after: Part): Difference {
  const [difference, setDifference] = useState<Difference>({ kind: 'reading' })
  const parts = useRef({ before, after })
  parts.current = { before, after }
  const key = [before, after].map(({ path, section }) => `${path} ${section.first_line}`).join(' ')
  useEffect(() => {
    const abort = new AbortController()
    setDifference({ kind: 'reading' })
    findDifference(parts.current.before, parts.current.after, abort.signal).then(
      (found) => {
        if (!abort.signal.aborted) setDifference(found)
      },
      (error: unknown) => {
        if (abort.signal.aborted) return
        if (!(error instanceof RequestError)) throw error
        setDifference({ kind: 'error', error })
      },
    )
    return () => abort.abort()
  }, [key])
  return difference
}

async function findDifference(before: Part, after: Part, signal: AbortSignal): Promise<Difference> {
  for (let offset = 1; offset <= MAX_LINES; offset += WINDOW) {
    const [left, right] = await Promise.all([
      readTexts(before, offset, signal),
      readTexts(after, offset, signal),
    ])
    const index = firstDifference(left, right)
    const isEnd = left.length < WINDOW || right.length < WINDOW
    if (index === undefined && isEnd && left.length === right.length) return { kind: 'same', isCut: false }
    if (index === undefined && !isEnd) continue
    const at = offset + (index ?? Math.min(left.length, right.length))
    return {
      kind: 'different',
      before: await readSide(before, at, signal),
      after: await readSide(after, at, signal),
    }
  }
  return { kind: 'same', isCut: true }
}

/** Lines of a section from the one with this number after its title, as far as it goes. */
async function readTexts(part: Part, offset: number, signal: AbortSignal): Promise<string[]> {
  const { lines } = await readLines(part, offset, WINDOW, signal)
  return styledLines(lines, '').map(plainText)
}

async function readSide(part: Part, offset: number, signal: AbortSignal): Promise<Side> {
  const { from, lines, style } = await readLines(part, Math.max(1, offset - BEFORE), SHOWN, signal)
  return { first: from, lines, style }
}

async function readLines(
  { path, section }: Part,
  offset: number,
  most: number,
  signal: AbortSignal,
): Promise<Pick<TraceLines, 'from' | 'lines' | 'style'>> {
  const from = section.first_line + offset
  const count = Math.min(most, (section.last_line ?? Infinity) - from + 1)
  if (count < 1) return { from, lines: [], style: '' }
  return requestJson<TraceLines>(`${path}/lines${queryOf({ from, count })}`, { signal })
}
