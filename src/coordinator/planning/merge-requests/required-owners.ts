import type { Database } from '../../database/connect.js'
import { inTransaction } from '../../database/transaction.js'
import type { Repositories } from '../../hosting/repositories/repositories.js'
import { codeOwnersByMergeRequest } from '../stores/code-owners-store.js'
import { requestRefresh } from '../stores/merge-request-refresh-store.js'
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
  if (await needsOwners(deps.database, row)) await findCodeOwners(deps, row, heads)
}

async function needsOwners(
  database: Database,
  { project_id, target_branch }: Pick<MergeRequestRow, 'project_id' | 'target_branch'>,
): Promise<boolean> {
  const branches = await protectedBranchesOf(database, [project_id])
  return needsCodeOwners({ protectedBranches: branches.get(project_id) ?? [], targetBranch: target_branch })
}

/**
 * Asks for the code owners of a merge request that has none yet, because the release before has compared it with its branches:
 * until then, its status says that it is not approved.
 */
export async function requestMissingOwners(database: Database, row: MergeRequestRow): Promise<void> {
  if (row.state !== 'opened' || row.merge_status !== 'can_be_merged') return
  if (!(await needsOwners(database, row))) return
  const known = (await codeOwnersByMergeRequest(database, [row.id])).get(row.id)
  if (known?.head_sha === row.head_sha && known.target_branch === row.target_branch) return
  await inTransaction(database, (tx) => requestRefresh(tx, [row], null))
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
