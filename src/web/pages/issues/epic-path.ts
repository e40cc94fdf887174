import { queryOf } from '../../../addresses/address-of.js'
import { groupApi } from '../../../addresses/first-reads.js'
import { pathsAbove } from '../../../addresses/path-name.js'
import type { Epic } from '../../../coordinator/planning/epics/epic-schema.js'
import { RequestError, requestJson } from '../../api/client.js'

/** The path of an epic in the API, below its prefix. */
export function epicPath(group: string | number, iid: number | string): string {
  return `${groupApi(group)}/epics/${iid}`
}

/** The beginning of the paths of all that belongs to the epics of a group: comments and children, too. */
export function allOfEpics(group: string): string {
  return epicPath(group, '')
}

/** The path of the open epics of a group whose texts have these words. */
export function foundEpics(group: string, search: string): string {
  return `${groupApi(group)}/epics${queryOf({ search: search || undefined, state: 'opened', per_page: 20 })}`
}

/** The open epics of the groups above a project whose texts have these words. */
export async function findEpicsAbove(project: string, search: string): Promise<Epic[]> {
  const found = await Promise.all(pathsAbove(project).map((group) => readIfSeen(foundEpics(group, search))))
  return found.flat()
}

/** Nothing for the namespace of a user, and for a group that the reader may not see. */
async function readIfSeen(path: string): Promise<Epic[]> {
  try {
    return await requestJson<Epic[]>(path)
  } catch (error) {
    if (error instanceof RequestError && (error.status === 404 || error.status === 403)) return []
    throw error
  }
}
