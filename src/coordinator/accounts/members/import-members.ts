import type { Project, User } from '../../access/caller.js'
import { isoDateOrNull } from '../../http/presenters/present-time.js'
import { type Actor, addMember, type MemberDeps, problemOf } from './members.js'
import type { ImportedMembers } from './schema.js'
import { sourceOfProject } from './source.js'
import { findMember, listMembers } from './store.js'

/** Members of the other project that are read at a time. */
const PAGE = 100

/**
 * Makes the direct members of another project members of this one, with at most the level of the caller; who is a member
 * stays as before. A failure does not stop the others, and is reported under the username (API, C3). Throws 403 if
 * the project takes no members.
 */
export async function importMembers(
  deps: MemberDeps,
  project: Project,
  from: Project,
  actor: Actor & { user: User },
): Promise<ImportedMembers> {
  const { database } = deps
  const target = sourceOfProject(project)
  const problems: Record<string, string> = {}
  let total = 0
  for (let offset = 0; ; offset += PAGE) {
    const paging = { page: offset / PAGE + 1, perPage: PAGE, offset }
    const { rows } = await listMembers(database, { source: sourceOfProject(from) }, {}, paging)
    for (const { id, username, access_level, expires_at } of rows) {
      total += 1
      if (await findMember(database, { source: target }, id)) continue
      const grant = {
        access_level: Math.min(access_level, actor.accessLevel),
        expires_at: isoDateOrNull(expires_at),
      }
      const problem = await problemOf(() => addMember(deps, target, String(id), grant, actor))
      if (problem !== undefined) problems[username] = problem
    }
    if (rows.length < PAGE) break
  }
  const isComplete = Object.keys(problems).length === 0
  return {
    status: isComplete ? 'success' : 'error',
    total_members_count: total,
    ...(!isComplete && { message: problems }),
  }
}
