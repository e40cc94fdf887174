import { requestAddress } from '../../../lib/request-address.js'

/** The address at which the sources of a release are offered: `/<project>/-/archive/<ref>/<name>.<ending>`. */
export interface ArchiveAddress {
  /** Full path. */
  project: string
  ref: string
  /** Without its ending. */
  name: string
  format: string
}

const ENDINGS = ['tar.gz', 'tar.bz2', 'tbz2', 'tbz', 'tb2', 'bz2', 'tar', 'zip']

/** Undefined for any other address. The ref may have slashes, encoded or not. */
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
