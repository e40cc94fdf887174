import type { EgressClient } from '../../egress/egress-client.js'
import { apiError } from '../../http/errors.js'
import { fillUrl } from './deliveries/fill-url.js'
import type { KeyValue } from './deliveries/hook-secrets.js'

/**
 * Throws 422 for an invalid URL, and for one in the local network if users may not access it (architecture,
 * "Coordinator"). Each delivery checks the address again.
 */
export async function checkUrl(
  egress: Pick<EgressClient, 'isRefused'>,
  template: string,
  variables: KeyValue,
): Promise<void> {
  const url = fillUrl(template, variables)
  if (!url || !isHttp(url)) throw apiError('hook_url_invalid')
  const refused = await egress.isRefused(url)
  if (refused) throw apiError('hook_url_blocked', { reason: refusalText(url) })
}

function isHttp({ protocol, hostname }: URL): boolean {
  return (protocol === 'http:' || protocol === 'https:') && hostname !== ''
}

const LOOPBACK = /^(localhost|.*\.localhost|127\..*|\[::1\]|0\.0\.0\.0|\[::\])$/

function refusalText({ hostname }: URL): string {
  return LOOPBACK.test(hostname)
    ? 'Requests to localhost are not allowed'
    : 'Requests to the local network are not allowed'
}
