import { addressOf } from '../../addresses/address-of.js'
import { repositoryPath } from './file-references.js'

/** The address of a file that a log names; undefined if it has none. */
export type FileAddress = (path: string, line: number) => string | undefined

/** Addresses of files that the log of a job names, at its commit; undefined if that is unknown. */
export function fileAddressAt(project: string, sha: string | undefined): FileAddress | undefined {
  if (sha === undefined) return undefined
  return (path, line) => {
    const inside = repositoryPath(path, project)
    return inside === undefined
      ? undefined
      : addressOf('code/file', { project, ref_path: `${sha}/${inside}` }, {}, `#L${line}`)
  }
}
