import { boot } from './boot.js'
import { RequestError, requestJson } from './client.js'

/** Whether the server does not respond, or only a proxy in front of it does. */
export async function isServerAbsent(): Promise<boolean> {
  try {
    await requestJson(boot.user ? '/user' : '/projects?per_page=1&simple=true')
    return false
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    return isAbsence(error)
  }
}

/** Whether a request failed because the server did not respond. */
export function isAbsence({ status }: RequestError): boolean {
  return status === 0 || status >= 502
}
