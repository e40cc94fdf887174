import type { Repositories } from '../../hosting/repositories/repositories.js'
import type { MergeRequestRow } from '../stores/merge-request-store.js'
import { protectedBranchesOf } from './approval-rules/approval-states.js'
import { needsCodeOwners } from './approval-rules/effective-rules.js'
import { type CodeOwnersDeps, findCodeOwners } from './code-owners/find-code-owners.js'

type Deps = CodeOwnersDeps & { repositories: Pick<Repositories, 'resolveRef'> }

/** Finds the code owners for the heads of a merge, if the target branch requires their approvals. Not in a transaction. */
export async function findRequiredOwners(
  deps: CodeOwnersDeps,
  row: MergeRequestRow,
  heads: { source: string; target: string },
): Promise<void> {
  const { project_id, target_branch } = row
  const branches = await protectedBranchesOf(deps.database, [project_id])
  const protectedBranches = branches.get(project_id) ?? []
  if (!needsCodeOwners({ protectedBranches, targetBranch: target_branch })) return
  await findCodeOwners(deps, row, heads)
}

/**
 * As `findRequiredOwners`, for the heads of both branches at this moment. Does nothing for a head that the merge request was
 * not compared with yet: its commits are not in the target project.
 */
export async function findHeadsOwners(
  deps: Deps,
  row: MergeRequestRow,
  source: string | undefined,
): Promise<void> {
  if (source === undefined || source !== row.head_sha) return
  const target = await deps.repositories.resolveRef(row.project_id, `refs/heads/${row.target_branch}`)
  if (target) await findRequiredOwners(deps, row, { source, target: target.sha })
}
