import type { FastifyRequest } from 'fastify'

import { CREDENTIAL_PARAMETERS } from './authentication/credential.js'
import { type Answer, answer } from './operation.js'

/**
 * One page of a list that is walked by a token instead of page numbers: of the headers only the link to the next page,
 * which repeats the parameters of the request (API gaps, A7). `next` undefined = this is the last one.
 */
export function tokenPage(
  rows: unknown[],
  next: string | undefined,
  { request, externalUrl }: { request: FastifyRequest; externalUrl: string },
): Answer {
  if (next === undefined) return answer(200, rows)
  const [path = '', query = ''] = request.url.split('?', 2)
  const search = new URLSearchParams(query)
  for (const name of [...CREDENTIAL_PARAMETERS, 'page']) search.delete(name)
  search.set('page_token', next)
  return answer(200, rows, { link: `<${externalUrl}${path}?${search.toString()}>; rel="next"` })
}
