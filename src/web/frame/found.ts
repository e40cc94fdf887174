import { groupRecord, projectApi } from '../../addresses/first-reads.js'
import type { PageMatch } from '../../addresses/page-table.js'
import { pathsAbove } from '../../addresses/path-name.js'
import type { Boot } from '../../coordinator/pages/schema.js'
import { boot } from '../api/boot.js'
import { RequestError } from '../api/client.js'
import { readOnce } from '../api/use-read.js'

/** What the address of a page names; null if the user may see nothing there. */
export type Found = Boot['found']

/** The path of the list with the one user of a name. */
export function userByName(username: string): string {
  return `/users?username=${encodeURIComponent(username)}`
}

/** Paths of groups that this page knows: to ask whether a project has the path would be in vain. */
const groups = new Set<string>()

export function rememberGroups(paths: Iterable<string>): void {
  for (const path of paths) groups.add(path)
}

/**
 * What the address of a page names. Only an overview needs requests: its path can be that of a project, a group or a user.
 * @throws {RequestError} if the server cannot respond
 */
export async function findNamed(page: PageMatch): Promise<Found> {
  const found = await search(page)
  rememberParents(page, found)
  return found
}

/** Whatever is around a group, or around the group of a project, is a group. */
export function rememberParents({ params }: PageMatch, found: Found): void {
  const path = params['project'] ?? params['group'] ?? params['path'] ?? ''
  const parents = pathsAbove(path)
  if (found === 'project') rememberGroups(parents.filter((parent) => parent.includes('/')))
  if (found === 'group') rememberGroups([...parents, path])
}

async function search({ name, params }: PageMatch): Promise<Found> {
  if (params['project'] !== undefined) return 'project'
  if (params['group'] !== undefined) return 'group'
  if (name !== 'overview') return 'page'
  const path = params['path'] ?? ''
  if (groups.has(path)) return 'group'
  if (path.includes('/') && (await exists(projectApi(path)))) return 'project'
  if (await exists(groupRecord(path))) return 'group'
  if (path.includes('/') || !boot.user) return null
  const users = await readOnce<unknown[]>(userByName(path))
  return users.length > 0 ? 'user' : null
}

async function exists(path: string): Promise<boolean> {
  try {
    await readOnce(path)
    return true
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return false
    throw error
  }
}
