import { problemOfRemote } from '../../egress/remote-repository.js'
import { invalidRecord } from '../../http/errors.js'

/**
 * Checks an import URL and returns it unchanged. Throws 400 for an invalid URL and for one that must not be
 * reached from the server.
 */
export function checkedImportUrl(address: string, isRefused: (host: string) => boolean): string {
  const problem = problemOfRemote(address, isRefused)
  if (problem !== undefined) throw invalidRecord({ import_url: [problem] })
  return address
}
