import { STATUS_CODES } from 'node:http'

/** The status of a response for display, such as `404 Not Found`. `none` if no response arrived. */
export function responseStatus(status: number | undefined): string {
  return status === undefined ? 'none' : `${status} ${STATUS_CODES[status] ?? ''}`.trim()
}
