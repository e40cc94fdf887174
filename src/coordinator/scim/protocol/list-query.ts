import type { Selection } from './resource.js'
import { LIST_SCHEMA, MAX_COUNT } from './schemas.js'

/** Resources of a page if the client does not say. */
const DEFAULT_COUNT = 100

/** Which rows of a list a page has. */
export interface Window {
  /** Position of the first one, from 0. */
  offset: number
  limit: number
}

type Query = Readonly<Record<string, unknown>>

export interface ListQuery {
  filter: string | undefined
  startIndex: number
  window: Window
  selection: Selection
}

/** `startIndex` and `count` are corrected, not refused, if they are too small or too large (RFC 7644, section 3.4.2.4). */
export function readListQuery(query: Query): ListQuery {
  const startIndex = Math.max(1, readNumber(query['startIndex']) ?? 1)
  const limit = Math.min(MAX_COUNT, Math.max(0, readNumber(query['count']) ?? DEFAULT_COUNT))
  const filter = query['filter']
  return {
    filter: typeof filter === 'string' ? filter : undefined,
    startIndex,
    window: { offset: startIndex - 1, limit },
    selection: readSelection(query),
  }
}

/** The attributes that the response has; names in lower case. */
export function readSelection(query: Query): Selection {
  return { attributes: readNames(query['attributes']), excluded: readNames(query['excludedAttributes']) }
}

function readNames(value: unknown): string[] {
  if (typeof value !== 'string') return []
  return value
    .split(',')
    .map((name) => (name.trim().toLowerCase().split(':').at(-1) ?? '').split('.')[0] ?? '')
    .filter((name) => name !== '')
}

function readNumber(value: unknown): number | undefined {
  return typeof value === 'string' && /^-?\d{1,9}$/.test(value) ? Number(value) : undefined
}

/** The page of a list (RFC 7644, section 3.4.2). */
export function listResponse(
  total: number,
  startIndex: number,
  resources: readonly object[],
): Record<string, unknown> {
  return {
    schemas: [LIST_SCHEMA],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  }
}
