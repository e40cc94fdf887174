import { PassThrough, type Readable } from 'node:stream'

import { RE2JSException } from 're2js'

import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import { apiError } from '../../../http/errors.js'
import { isFinished } from '../../engine/job-status.js'
import { createMatcher } from '../../storage/trace-index/line-matcher.js'
import type { LineQuery } from '../../storage/trace-index/text-matcher.js'
import type { SearchItem } from '../../storage/trace-index/trace-worker.js'
import type { TraceIndexes } from '../../storage/trace-indexes.js'
import type { TraceSearchEnd, TraceSearchItem } from './schema.js'
import type { TraceCheck } from './trace-check.js'

/** A search ends after this time, and says how far it came. */
const MAX_MILLISECONDS = 30_000

export interface SearchParams {
  q?: string | undefined
  /** Whether upper and lower case differ. */
  case?: boolean | undefined
  regexp?: boolean | undefined
  /** Whether to search for errors instead of `q`. */
  errors?: boolean | undefined
  from?: number | undefined
  limit?: number | undefined
}

export interface SearchDeps {
  indexes: Pick<TraceIndexes, 'search'>
  check: TraceCheck
  /** How many bytes of the log are gone if so many are there. */
  missingOf: (bytes: number) => Promise<number>
  takePlace: () => () => void
}

const DEFAULT_LIMIT = 1000

/**
 * Searches the log of a job. The result is a stream of lines of JSON, each a `TraceSearchItem`, at last a
 * `TraceSearchEnd`. Destroying it ends the search, and `takePlace` gives what is called then. Throws 400 for an
 * expression that is not valid.
 */
export function searchTrace(
  { indexes, check, missingOf, takePlace }: SearchDeps,
  job: JobRow,
  params: SearchParams,
): Readable {
  const search = {
    query: queryOf(params),
    from: params.from ?? 1,
    limit: params.limit ?? DEFAULT_LIMIT,
  }
  checkQuery(search.query)
  const freePlace = takePlace()
  const found = new PassThrough()
  const closed = new AbortController()
  const timer = setTimeout(() => closed.abort(OVERDUE), MAX_MILLISECONDS)
  found.once('close', () => {
    freePlace()
    clearTimeout(timer)
    closed.abort(new Error('The search was closed'))
  })
  writeResults(found, closed.signal, (onItem, onMissing) =>
    indexes.search(job, { isFinished: isFinished(job.status) }, search, {
      check: async (bytes) => {
        await check()
        onMissing(await missingOf(bytes))
      },
      signal: closed.signal,
      onItem,
    }),
  ).catch((error: unknown) => found.destroy(error as Error))
  return found
}

const OVERDUE = new Error('The search took too long')

function queryOf({ q = '', case: isCaseSensitive = false, regexp, errors }: SearchParams): LineQuery {
  if (errors) return { kind: 'errors' }
  return regexp
    ? { kind: 'regexp', expression: q, isCaseSensitive }
    : { kind: 'text', text: q, isCaseSensitive }
}

function checkQuery(query: LineQuery): void {
  if (query.kind === 'text' && query.text.includes('\n')) throw apiError('log_search_not_one_line')
  try {
    createMatcher(query)
  } catch (error) {
    if (!(error instanceof RE2JSException || error instanceof RangeError)) throw error
    throw apiError('log_search_invalid', { reason: error.message })
  }
}

async function writeResults(
  found: PassThrough,
  signal: AbortSignal,
  search: (
    onItem: (item: SearchItem) => void,
    onMissing: (bytes: number) => void,
  ) => Promise<Omit<TraceSearchEnd, 'missing_bytes'>>,
): Promise<void> {
  const reached = { hits: 0, searched_to: 0 }
  let missing = 0
  const write = (line: TraceSearchItem | TraceSearchEnd) => found.write(`${JSON.stringify(line)}\n`)
  const onItem = (item: SearchItem) => {
    if ('line' in item) reached.hits++
    reached.searched_to = 'line' in item ? item.line : item.searched_to
    write(item)
  }
  const onMissing = (bytes: number) => {
    missing = bytes
  }
  const end = await search(onItem, onMissing).catch((error: unknown) => {
    if (signal.reason !== OVERDUE) throw error
    return { ...reached, done: false }
  })
  write({ ...end, missing_bytes: missing })
  found.end()
}
