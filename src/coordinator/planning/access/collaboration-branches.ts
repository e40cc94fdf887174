import type { Project, User } from '../../access/caller.js'
import { whyReadOnly } from '../../access/read-only.js'
import type { Database } from '../../database/connect.js'
import { accessIn, type OperationDeps } from '../../http/handle-operation.js'
import { mayMergeInto } from './may-merge-into.js'
import { pusherToSource } from './pusher-to-source.js'

interface CollaborationDeps extends Pick<OperationDeps, 'findProject' | 'projectAccessOf'> {
  database: Database
}

/** Most merge requests of a fork that are looked at. */
const MOST = 100

/**
 * Branches of a fork whose open merge requests allow those who may merge them to push (`allow_collaboration`), and which
 * the user may merge (API, F4). It is allowed as long as the user who allows it may push to them too.
 */
export async function collaborationBranches(
  deps: CollaborationDeps,
  user: User,
  fork: Project,
): Promise<string[]> {
  const rows = await deps.database
    .selectFrom('merge_request')
    .select(['source_project_id', 'source_branch', 'target_branch', 'project_id', 'collaboration_by_id'])
    .where('source_project_id', '=', fork.id)
    .where('state', '=', 'opened')
    .where('allow_collaboration', '=', true)
    .orderBy('id', 'desc')
    .limit(MOST)
    .execute()
  const branches: string[] = []
  for (const { target_branch, project_id, collaboration_by_id, ...source } of rows) {
    if (!(await pusherToSource(deps.database, collaboration_by_id, source))) continue
    const project = await deps.findProject(String(project_id))
    if (!project || whyReadOnly(project) !== undefined) continue
    const { accessLevel } = await accessIn(deps, user, project)
    if (await mayMergeInto(deps.database, { project, user, accessLevel }, target_branch))
      branches.push(source.source_branch)
  }
  return branches
}
