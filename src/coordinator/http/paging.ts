import type { FastifyRequest } from 'fastify'

import { CREDENTIAL_PARAMETERS } from './authentication/credential.js'
import { invalidParameters } from './errors.js'
import type { Page, Paging } from './operation.js'
import { readerOfNumber } from './parameters/scalar-readers.js'

const DEFAULT_PER_PAGE = 20
const MAXIMUM_PER_PAGE = 100
/** Longer collections are not counted for the client (API gaps, A7). */
const MAXIMUM_COUNTED = 10_000

export const FIRST_PAGE: Paging = { page: 1, perPage: DEFAULT_PER_PAGE, offset: 0 }

const readInteger = readerOfNumber({ type: 'integer' })

/** Throws 400 for a page that is no number; more than 100 rows are cut to 100 (API gaps, A7). */
export function readPaging(given: Record<string, unknown>): Paging {
  const problems: string[] = []
  const page = numberOr(1, given['page'], 'page', problems)
  const perPage = numberOr(DEFAULT_PER_PAGE, given['per_page'], 'per_page', problems)
  if (perPage < 1) problems.push('per_page has a value not allowed')
  if (problems.length > 0) throw invalidParameters(problems.join(', '))
  return paging(Math.max(page, 1), Math.min(perPage, MAXIMUM_PER_PAGE))
}

function numberOr(fallback: number, raw: unknown, name: string, problems: string[]): number {
  const value = raw === undefined ? fallback : readInteger(raw, name, problems)
  return typeof value === 'number' ? value : fallback
}

function paging(page: number, perPage: number): Paging {
  return { page, perPage, offset: Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER) }
}

/** The headers that clients walk a list by; `externalUrl` is the address the clients know. */
export function pagingHeaders(
  { page, perPage }: Paging,
  { rows, total: counted }: Page,
  request: FastifyRequest,
  externalUrl: string,
): Record<string, string> {
  const total = counted !== undefined && counted <= MAXIMUM_COUNTED ? counted : undefined
  const pages = total === undefined ? undefined : Math.max(1, Math.ceil(total / perPage))
  const hasNext = pages === undefined ? rows.length >= perPage : page < pages
  const next = hasNext ? page + 1 : undefined
  const previous = page > 1 ? page - 1 : undefined
  const link = linkTo(request, externalUrl, perPage)
  return {
    'x-page': String(page),
    'x-per-page': String(perPage),
    'x-next-page': String(next ?? ''),
    'x-prev-page': String(previous ?? ''),
    ...(total === undefined ? {} : { 'x-total': String(total), 'x-total-pages': String(pages) }),
    link: [link('prev', previous), link('next', next), link('first', 1), link('last', pages)]
      .filter((part) => part !== undefined)
      .join(', '),
  }
}

type Link = (rel: string, page: number | undefined) => string | undefined

/** Links repeat every parameter of the request except its credential. */
function linkTo(request: FastifyRequest, externalUrl: string, perPage: number): Link {
  const [path = '', query = ''] = request.url.split('?', 2)
  const search = new URLSearchParams(query)
  for (const name of CREDENTIAL_PARAMETERS) search.delete(name)
  search.set('per_page', String(perPage))
  return (rel, page) => {
    if (page === undefined) return undefined
    search.set('page', String(page))
    return `<${externalUrl}${path}?${search.toString()}>; rel="${rel}"`
  }
}
