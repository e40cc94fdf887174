import type { EgressResponse } from '../../egress/egress-client.js'

/**
 * The path of the next page, by the header `Link`, or else `X-Next-Page`; null if there is none. Only the query of a link
 * counts: a server may write its address as others reach it, and no other one may get the token.
 */
export function nextPage(headers: EgressResponse['headers'], current: string): string | null {
  const [path = '', query = ''] = current.split('?')
  const link = linkToNext(headers['link'])
  if (link !== undefined) return URL.canParse(link, BASE) ? path + new URL(link, BASE).search : null
  const page = headers['x-next-page']
  if (typeof page !== 'string' || !/^\d{1,9}$/.test(page)) return null
  const parameters = new URLSearchParams(query)
  parameters.set('page', page)
  return `${path}?${parameters.toString()}`
}

/** For links without a host. */
const BASE = 'http://source.invalid'

/** RFC 8288; servers of the API v4 write one header with all relations. */
function linkToNext(header: string | string[] | undefined): string | undefined {
  const links = [header ?? []].flat().join(', ')
  for (const [, address, parameters] of links.matchAll(/<([^<>]*)>([^<>,]*)/g)) {
    if (parameters?.includes('rel="next"')) return address
  }
  return undefined
}
