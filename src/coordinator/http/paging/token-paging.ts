import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'

import { CREDENTIAL_PARAMETERS } from '../authentication/credential.js'
import { invalidParameters } from '../errors.js'
import { type ApiResponse, respond } from '../operation.js'
import { type Page, page, type Paging } from '../page.js'
import { optional } from '../parameters/described.js'

/** Parameters of a list of names with keyset pagination; `what` names the listed objects. */
export function nameTokens(what: string) {
  return {
    pagination: optional(
      Type.String(),
      '`keyset`: pages are selected by `page_token`, and only the next page is linked',
    ),
    page_token: optional(Type.String(), `With keyset: name of the last ${what} of the previous page`),
  }
}

/**
 * One page of a list with token pagination. The only pagination header is the link to the next page, which
 * repeats the parameters of the request (API, A7). `next` undefined = this is the last page.
 */
export function tokenPage(
  rows: unknown[],
  next: string | undefined,
  { request, externalUrl }: { request: FastifyRequest; externalUrl: string },
): ApiResponse {
  if (next === undefined) return respond(200, rows)
  const [path = '', query = ''] = request.url.split('?', 2)
  const search = new URLSearchParams(query)
  for (const name of [...CREDENTIAL_PARAMETERS, 'page']) search.delete(name)
  search.set('page_token', next)
  return respond(200, rows, { link: `<${externalUrl}${path}?${search.toString()}>; rel="next"` })
}

interface NamesCall {
  params: { pagination?: string | undefined; page_token?: string | undefined }
  paging: Paging
  request: FastifyRequest
}

/** One page of the objects with these names: by its number, or with `pagination=keyset` by a token. */
export async function pageOfNames(
  names: string[],
  { params, paging, request }: NamesCall,
  order: NameOrder,
  { describe, externalUrl }: { describe: (names: string[]) => Promise<unknown[]>; externalUrl: string },
): Promise<Page | ApiResponse> {
  if (params.pagination !== 'keyset') {
    const { offset, perPage } = paging
    return page(await describe(names.slice(offset, offset + perPage)), names.length)
  }
  const { names: some, next } = namesAfter(names, params.page_token, paging, order)
  return tokenPage(await describe(some), next, { request, externalUrl })
}

/** Alphabetical, or another order. */
type NameOrder = 'asc' | 'desc' | 'other'

interface NamesPage {
  names: string[]
  /** Token of the next page; undefined = this is the last one. */
  next: string | undefined
}

/**
 * The names after the one in the token. If the order is alphabetical, that name may have been deleted. Throws 400 if it
 * is missing in any other order.
 */
function namesAfter(
  names: string[],
  token: string | undefined,
  { perPage }: Pick<Paging, 'perPage'>,
  order: NameOrder,
): NamesPage {
  const start = token === undefined ? 0 : placeAfter(names, token, order)
  const some = names.slice(start, start + perPage)
  return { names: some, next: start + some.length < names.length ? some.at(-1) : undefined }
}

function placeAfter(names: string[], token: string, order: NameOrder): number {
  const at = names.indexOf(token)
  if (at >= 0) return at + 1
  if (order === 'other') throw invalidParameters('page_token is invalid')
  const behind = names.findIndex((name) => (order === 'asc' ? name > token : name < token))
  return behind < 0 ? names.length : behind
}
