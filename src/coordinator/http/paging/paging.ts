import type { FastifyRequest } from 'fastify'

import { MAX_COUNTED } from '../../database/count-rows.js'
import { CREDENTIAL_PARAMETERS } from '../authentication/credential.js'
import { invalidParameters } from '../errors.js'
import type { Operation } from '../operation.js'
import type { Keyset, Page, Paging } from '../page.js'
import { readerOfNumber } from '../parameters/scalar-readers.js'
import { parametersAfter, PLACE_PARAMETERS, readKeyset, refuseLongOffset } from './keyset.js'

const DEFAULT_PER_PAGE = 20
const MAX_PER_PAGE = 100

export const FIRST_PAGE: Paging = { page: 1, perPage: DEFAULT_PER_PAGE, offset: 0 }

const readInteger = readerOfNumber({ type: 'integer' })

/**
 * Throws 400 for an invalid page number. Reduces a page size above 100 to 100 (API, A7). An operation that
 * declares a `pagination` parameter reads that itself.
 */
export function readPaging(
  given: Record<string, unknown>,
  { keyset: rules, params }: Pick<Operation, 'keyset' | 'params'> = {},
): Paging {
  const problems: string[] = []
  const page = numberOr(1, given['page'], 'page', problems)
  const perPage = numberOr(DEFAULT_PER_PAGE, given['per_page'], 'per_page', problems)
  if (perPage < 1) problems.push('per_page has a value not allowed')
  if (problems.length > 0) throw invalidParameters(problems.join(', '))
  const ownsPagination = params !== undefined && 'pagination' in params.properties
  const keyset = ownsPagination ? undefined : readKeyset(given, rules)
  if (keyset) return { ...paging(1, Math.min(perPage, MAX_PER_PAGE)), keyset }
  const found = paging(Math.max(page, 1), Math.min(perPage, MAX_PER_PAGE))
  if (rules) refuseLongOffset(found.offset, rules)
  return found
}

function numberOr(fallback: number, raw: unknown, name: string, problems: string[]): number {
  const value = raw === undefined ? fallback : readInteger(raw, name, problems)
  return typeof value === 'number' ? value : fallback
}

function paging(page: number, perPage: number): Paging {
  return { page, perPage, offset: Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER) }
}

/** The response headers for pagination; `externalUrl` is the URL that clients use. */
export function pagingHeaders(
  paging: Paging,
  page: Page,
  request: FastifyRequest,
  externalUrl: string,
): Record<string, string> {
  const link = linkTo(request, externalUrl, paging.perPage)
  return paging.keyset
    ? keysetHeaders(paging.keyset, paging.perPage, page, link)
    : offsetHeaders(paging, page, link)
}

function keysetHeaders(
  keyset: Keyset,
  perPage: number,
  { rows }: Page,
  link: LinkTo,
): Record<string, string> {
  if (rows.length < perPage) return {}
  return { link: link('next', parametersAfter(keyset, rows.at(-1))) }
}

function offsetHeaders(
  { page, perPage }: Paging,
  { rows, total: counted }: Page,
  link: LinkTo,
): Record<string, string> {
  const total = counted !== undefined && counted <= MAX_COUNTED ? counted : undefined
  const pages = total === undefined ? undefined : Math.max(1, Math.ceil(total / perPage))
  const hasNext = pages === undefined ? rows.length >= perPage : page < pages
  const next = hasNext ? page + 1 : undefined
  const previous = page > 1 ? page - 1 : undefined
  const targets = Object.entries({ prev: previous, next, first: 1, last: pages })
  return {
    'x-page': String(page),
    'x-per-page': String(perPage),
    'x-next-page': String(next ?? ''),
    'x-prev-page': String(previous ?? ''),
    ...(total === undefined ? {} : { 'x-total': String(total), 'x-total-pages': String(pages) }),
    link: targets
      .filter(([, target]) => target !== undefined)
      .map(([rel, target]) => link(rel, { page: String(target) }))
      .join(', '),
  }
}

type LinkTo = (rel: string, target: Record<string, string>) => string

/** Links repeat every parameter of the request except its credential, and name another place. */
function linkTo(request: FastifyRequest, externalUrl: string, perPage: number): LinkTo {
  const [path = '', query = ''] = request.url.split('?', 2)
  const search = new URLSearchParams(query)
  for (const name of CREDENTIAL_PARAMETERS) search.delete(name)
  search.set('per_page', String(perPage))
  return (rel, target) => {
    const names = Object.keys(target)
    if (!names.includes('page')) for (const name of [...PLACE_PARAMETERS, 'page']) search.delete(name)
    for (const name of names) search.set(name, target[name] ?? '')
    return `<${externalUrl}${path}?${search.toString()}>; rel="${rel}"`
  }
}
