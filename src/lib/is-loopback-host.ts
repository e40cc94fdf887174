import { isIP } from 'node:net'

/** Whether the host of a URL is this machine by its name or address; IPv6 addresses may be in brackets. */
export function isLoopbackHost(hostname: string): boolean {
  const host = hostname.replaceAll(/[[\]]/g, '')
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}
