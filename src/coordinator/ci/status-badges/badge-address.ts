import { requestAddress } from '../../../lib/request-address.js'

/** The requested badge. */
export type BadgeAddress = BadgeOfRef | BadgeOfReleases

interface BadgeOfRef extends BadgeOfProject {
  kind: 'pipeline' | 'coverage'
  ref: string
}

interface BadgeOfReleases extends BadgeOfProject {
  kind: 'release'
}

interface BadgeOfProject {
  /** Full path. */
  project: string
  query: URLSearchParams
}

/** A project has at least two segments, so that one may be called `badges` itself. */
const ADDRESS =
  /^\/(?<project>[^/]+(?:\/[^/]+)+?)\/(?:-\/)?badges\/(?:(?<ref>.+)\/(?<kind>pipeline|coverage)|release)\.svg$/

/**
 * Parses a path below the root, with its query; undefined if it is not the path of a badge (CI language,
 * 17.4).
 */
export function parseBadgeAddress(address: string): BadgeAddress | undefined {
  const { pathname, searchParams: query } = requestAddress(address)
  const groups = ADDRESS.exec(pathname)?.groups
  const project = decoded(groups?.['project'])
  if (project === undefined) return undefined
  if (groups?.['kind'] === undefined) return { project, kind: 'release', query }
  const ref = decoded(groups['ref'])
  if (ref === undefined) return undefined
  return { project, ref, kind: groups['kind'] === 'coverage' ? 'coverage' : 'pipeline', query }
}

function decoded(part: string | undefined): string | undefined {
  try {
    return part === undefined ? undefined : decodeURIComponent(part)
  } catch {
    return undefined // a stray % is part of no name
  }
}
