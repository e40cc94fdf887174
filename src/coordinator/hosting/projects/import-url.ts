import { problemOfRemote } from '../../egress/remote-repository.js'
import { invalidRecord } from '../../http/errors.js'

/** The address to copy from, as it was given. Throws 400 for one that cannot be, or must not be reached from here. */
export function checkedImportUrl(address: string, isRefused: (host: string) => boolean): string {
  const problem = problemOfRemote(address, isRefused)
  if (problem !== undefined) throw invalidRecord({ import_url: [problem] })
  return address
}
