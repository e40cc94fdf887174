import { may } from '../../access/access.js'
import type { Database } from '../../database/connect.js'
import { isAllowed, rulesOf } from '../../hosting/repositories/push/ref-rules.js'
import { listProtectedRefs } from '../../hosting/repositories/store.js'
import { type Giver, giverNow } from '../../intentions/giver.js'

interface SourceBranch {
  source_project_id: number | null
  source_branch: string
}

/**
 * The user in the source project of a merge request, if they may push to the source branch at this moment; undefined
 * otherwise, and for no user.
 */
export async function pusherToSource(
  database: Database,
  userId: number | null,
  { source_project_id, source_branch }: SourceBranch,
): Promise<Giver | undefined> {
  const giver = await giverNow(database, { userId, projectId: source_project_id })
  if (userId === null || !giver || !may('create_merge_requests', giver)) return undefined
  const rules = rulesOf(await listProtectedRefs(database, giver.project.id, userId), 'branch', source_branch)
  return rules.length === 0 || isAllowed(rules, giver.accessLevel) ? giver : undefined
}
