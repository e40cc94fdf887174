import { requestAddress } from '../../../../lib/request-address.js'

export type GitService = 'git-upload-pack' | 'git-receive-pack'

/** Target of a git request. */
export type GitTarget =
  /** `service` is undefined for the dumb HTTP protocol, which is not supported. */
  | { kind: 'refs'; fullPath: string; service: GitService | undefined }
  | { kind: 'service'; fullPath: string; service: GitService }
  /** Git LFS; `action` is the path below `.git/`. */
  | { kind: 'large-files'; fullPath: string; action: string }
  /** The URL without `.git`. */
  | { kind: 'redirect'; location: string }

const GIT_PATH =
  /^\/(.+?)(\.git)?\/(info\/refs|git-upload-pack|git-receive-pack|(?:info\/lfs|gitlab-lfs\/objects)\/.+)$/

/** Projects are in a namespace; the wiki of a group need not be. */
const REPOSITORY = /^[^/]+(\/[^/]+)+$|^[^/]+\.wiki$/

/** Parses a path below the root, with its query; undefined if it is not a git URL (API, B). */
export function parseGitTarget(method: string, address: string): GitTarget | undefined {
  const { pathname, search, searchParams } = requestAddress(address)
  const parts = GIT_PATH.exec(pathname)
  const [, path = '', suffix, verb = ''] = parts ?? []
  const fullPath = decodePath(path)
  // An empty first name would make a redirect to the path point to another host.
  if (!fullPath || !REPOSITORY.test(fullPath)) return undefined
  const service = serviceOf(verb === 'info/refs' ? searchParams.get('service') : verb)
  const isRead = method === 'GET' || method === 'HEAD'
  if (suffix === undefined) {
    return isRead && service && verb === 'info/refs'
      ? { kind: 'redirect', location: `/${path}.git/info/refs${search}` }
      : undefined
  }
  if (/^(info|gitlab)[/-]lfs\//.test(verb)) return { kind: 'large-files', fullPath, action: verb }
  if (verb === 'info/refs') return isRead ? { kind: 'refs', fullPath, service } : undefined
  return method === 'POST' && service ? { kind: 'service', fullPath, service } : undefined
}

/** The git URL for a project with another path. */
export function redirectAddress(address: string, fullPath: string): string {
  const { pathname, search } = requestAddress(address)
  const verb = /\.git\/(.+)$/.exec(pathname)?.[1] ?? ''
  return `/${fullPath}.git/${verb}${search}`
}

function serviceOf(name: string | null): GitService | undefined {
  return name === 'git-upload-pack' || name === 'git-receive-pack' ? name : undefined
}

function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined // a stray % occurs in no project path
  }
}
