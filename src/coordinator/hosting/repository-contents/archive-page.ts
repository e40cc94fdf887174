import { requestAddress } from '../../../lib/request-address.js'

/** URL of a source archive: `/<project>/-/archive/<ref>/<name>.<extension>`. */
export interface ArchiveAddress {
  /** Full path of the project. */
  project: string
  ref: string
  /** File name without extension. */
  name: string
  format: string
}

const ENDINGS = ['tar.gz', 'tar.bz2', 'tbz2', 'tbz', 'tb2', 'bz2', 'tar', 'zip']

/** Undefined for any other URL. The ref may contain slashes, encoded or not. */
export function parseArchiveAddress(address: string): ArchiveAddress | undefined {
  const { pathname } = requestAddress(address)
  const parts = /^\/(.+?)\/-\/archive\/(.+)\/([^/]+)$/.exec(pathname)
  const [project, ref, file] = (parts?.slice(1) ?? []).map(decoded)
  if (project === undefined || ref === undefined || file === undefined) return undefined
  const format = ENDINGS.find((ending) => file.endsWith(`.${ending}`))
  if (format === undefined) return undefined
  return { project, ref, name: file.slice(0, -format.length - 1), format }
}

function decoded(text: string): string | undefined {
  try {
    const plain = decodeURIComponent(text)
    return plain.includes('\0') ? undefined : plain
  } catch {
    return undefined
  }
}
