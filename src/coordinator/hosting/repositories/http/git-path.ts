import { requestAddress } from '../../../../lib/request-address.js'

export type GitService = 'git-upload-pack' | 'git-receive-pack'

/** What a request for a repository is about. */
export type GitTarget =
  /** `service` is undefined for the protocol of plain files, which is not offered. */
  | { kind: 'refs'; fullPath: string; service: GitService | undefined }
  | { kind: 'service'; fullPath: string; service: GitService }
  | { kind: 'large-files'; fullPath: string }
  /** The address without `.git`. */
  | { kind: 'redirect'; location: string }

/** Reads an address below the root, query included; undefined when it is not one of git's (API, B). */
export function parseGitTarget(method: string, address: string): GitTarget | undefined {
  const { pathname, search, searchParams } = requestAddress(address)
  const parts = /^\/(.+?)(\.git)?\/(info\/refs|git-upload-pack|git-receive-pack|info\/lfs\/.+)$/.exec(
    pathname,
  )
  const [, path = '', suffix, verb = ''] = parts ?? []
  const fullPath = decodePath(path)
  // With an empty name at its start a redirect to the path would be one to another host.
  if (!fullPath || !/^[^/]+(\/[^/]+)+$/.test(fullPath)) return undefined
  const service = serviceOf(verb === 'info/refs' ? searchParams.get('service') : verb)
  const isRead = method === 'GET' || method === 'HEAD'
  if (suffix === undefined) {
    return isRead && service && verb === 'info/refs'
      ? { kind: 'redirect', location: `/${path}.git/info/refs${search}` }
      : undefined
  }
  if (verb.startsWith('info/lfs/')) return { kind: 'large-files', fullPath }
  if (verb === 'info/refs') return isRead ? { kind: 'refs', fullPath, service } : undefined
  return method === 'POST' && service ? { kind: 'service', fullPath, service } : undefined
}

/** The same address, of git's, in the project of another path. */
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
    return undefined // a stray % is part of no project's path
  }
}
