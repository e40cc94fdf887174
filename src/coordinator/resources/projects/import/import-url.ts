import { isIP } from 'node:net'

import { invalidRecord } from '../../../http/errors.js'

/**
 * The address to copy from, as it was given. Throws 400 for one that is not HTTP, or that says by itself that it leads
 * into the network of the server; names are looked up when the copy is made.
 */
export function checkedImportUrl(address: string, isRefused: (host: string) => boolean): string {
  if (!URL.canParse(address)) throw refused('must be a valid URL')
  const { protocol, hostname } = new URL(address)
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw refused('is blocked: Only allowed schemes are http, https')
  }
  const host = hostname.replace(/^\[|\]$/g, '')
  if (/^localhost\.?$/i.test(host) && isRefused('127.0.0.1'))
    throw refused('is blocked: Requests to localhost are not allowed')
  if (isIP(host) !== 0 && isRefused(host))
    throw refused('is blocked: Requests to the local network are not allowed')
  return address
}

function refused(problem: string) {
  return invalidRecord({ import_url: [problem] })
}
