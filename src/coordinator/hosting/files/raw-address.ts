import { requestAddress } from '../../../lib/request-address.js'

/** URL of a file as it is: `/<project>/-/raw/<ref>/<path>`. Both ref and path may contain slashes. */
export interface RawAddress {
  /** Full path of the project. */
  project: string
  refPath: string
}

/** Undefined for any other URL. */
export function parseRawAddress(address: string): RawAddress | undefined {
  const { pathname } = requestAddress(address)
  const [, project, refPath] = /^\/(.+?)\/-\/raw\/(.+)$/.exec(pathname) ?? []
  if (project === undefined || refPath === undefined) return undefined
  try {
    return { project: decodeURIComponent(project), refPath: decodeURIComponent(refPath) }
  } catch {
    return undefined // a stray % occurs in no name
  }
}

export interface RefAndPath {
  ref: string
  path: string
}

/** Names of refs may be that deep. */
const MAX_SEGMENTS = 20

/** Where a ref may end and a path begin, the longest ref first. */
export function possibleSplits(refPath: string): RefAndPath[] {
  const segments = refPath.split('/')
  const most = Math.min(MAX_SEGMENTS, segments.length - 1)
  return Array.from({ length: most }, (_, index) => ({
    ref: segments.slice(0, most - index).join('/'),
    path: segments.slice(most - index).join('/'),
  }))
}
