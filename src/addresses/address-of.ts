import { type PageName, type PageParams, PAGES, PATH_PARAMS } from './page-table.js'

/** Values of the query of an address; those that are undefined are left out. */
export type Query = Record<string, string | number | boolean | undefined>

/**
 * The address of a page, from the root of the server: `/group/app/-/jobs/12`.
 * @param params decoded values; slashes stay slashes in paths and in the rest of an address
 */
export function addressOf<Name extends PageName>(
  page: Name,
  params: PageParams<Name>,
  query: Query = {},
  hash = '',
): string {
  const values: Record<string, string> = params
  const path = PAGES[page]
    .split('/')
    .map((segment) => {
      const [name = ''] = segment.slice(1).split('(')
      if (segment.startsWith('*')) return encodePath(values[name] ?? '')
      if (!segment.startsWith(':')) return segment
      return PATH_PARAMS.has(name) ? encodePath(values[name] ?? '') : encodeURIComponent(values[name] ?? '')
    })
    .join('/')
  return (path.length > 1 ? path.replace(/\/$/, '') : path) + queryOf(query) + hash
}

/** Encodes each segment of a path, and keeps the slashes. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

/** `?a=1&b=2`, or an empty text without values. */
export function queryOf(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  // Most addresses have no values, and a page may show thousands of addresses.
  if (given.length === 0) return ''
  const params = new URLSearchParams()
  for (const [key, value] of given) params.set(key, String(value))
  return `?${params.toString()}`
}
