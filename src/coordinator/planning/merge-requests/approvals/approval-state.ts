import type { Owner } from '../../../../code-owners/code-owners.js'
import type { OwnedPaths } from '../../../../code-owners/owned-paths.js'
import { may } from '../../../access/access.js'
import type { CallerInProject } from '../../access/issue-access.js'
import { type ApprovalRule, approvalRulesOf } from '../../stores/approval-rule-store.js'
import { codeOwnersByMergeRequest, type FoundCodeOwners } from '../../stores/code-owners-store.js'
import type { MergeRequestRow } from '../../stores/merge-request-store.js'
import { approvalStates, protectedBranchesOf } from '../approval-rules/approval-states.js'
import { needsCodeOwners } from '../approval-rules/effective-rules.js'
import { approvalCounts, isApproved, type RuleState } from '../approval-rules/rule-states.js'
import { mayApprove } from '../approval-rules/who-may-approve.js'
import { findCodeOwners } from '../code-owners/find-code-owners.js'
import { approvalsThatCount } from '../record-approval.js'
import type { ApprovalDeps } from './approval-deps.js'
import { isOpen } from './approvals.js'
import { type People, peopleOf, presentMergeRequestRule } from './present-rules.js'
import { projectRules } from './project-rules.js'
import type { ApprovalState, MergeRequestRule } from './rule-schema.js'

/** The rules that hold for a merge request, with what their records show. */
interface Found {
  states: RuleState[]
  people: People
  sources: ReadonlyMap<number, ApprovalRule>
}

async function findRules(
  deps: ApprovalDeps,
  { project, user }: CallerInProject,
  row: MergeRequestRow,
  others: number[] = [],
): Promise<Found> {
  const { database } = deps
  const rules = await projectRules(database, project)
  await findMissingOwners(deps, row)
  const states =
    (await approvalStates(database, [{ row, project }], { withOptional: true })).get(row.id) ?? []
  const people = await peopleOf(deps, user, {
    userIds: [
      ...others,
      ...states.flatMap(({ rule, approvedBy, eligible = [] }) => [
        ...rule.userIds,
        ...approvedBy,
        ...eligible,
      ]),
    ],
    groupIds: states.flatMap(({ rule }) => [...rule.groupIds]),
  })
  return { states, people, sources: new Map(rules.map((rule) => [rule.id, rule])) }
}

/** The comparison with the branches finds the code owners; a merge request of the release before has none yet. */
async function findMissingOwners(deps: ApprovalDeps, row: MergeRequestRow): Promise<void> {
  if (!isOpen(row) || row.head_sha === null) return
  const known = (await codeOwnersByMergeRequest(deps.database, [row.id])).get(row.id)
  if (known?.head_sha === row.head_sha && known.target_branch === row.target_branch) return
  const target = await deps.repositories.resolveRef(row.project_id, `refs/heads/${row.target_branch}`)
  if (target) await findCodeOwners(deps, row, { source: row.head_sha, target: target.sha })
}

/** The rules that hold for a merge request. */
export async function mergeRequestRules(
  deps: ApprovalDeps,
  caller: CallerInProject,
  row: MergeRequestRow,
): Promise<MergeRequestRule[]> {
  const { states, people, sources } = await findRules(deps, caller, row)
  return states.map((state) => presentMergeRequestRule(state, people, { project: caller.project, sources }))
}

/** All that a page needs to show about the approvals of a merge request. */
export async function approvalState(
  deps: ApprovalDeps,
  caller: CallerInProject,
  row: MergeRequestRow,
): Promise<ApprovalState> {
  const { database } = deps
  const { project, user } = caller
  const approvers = (await approvalsThatCount(database, project, row)).map(({ user_id }) => user_id)
  const found = await findRules(deps, caller, row, approvers)
  const { states, people } = found
  const { required, left } = approvalCounts(states)
  const hasApproved = user !== undefined && approvers.includes(user.id)
  const canApprove = isOpen(row) && !hasApproved && mayApprove(caller, row)
  return {
    approval_rules_overwritten: await hasOwnRules(deps, caller, row),
    rules: states.map((state) =>
      ruleRecord(state, found, { project, approverId: canApprove ? user?.id : undefined }),
    ),
    approved: isApproved(states),
    approvals_required: required,
    approvals_left: left,
    approved_by: people.users(approvers),
    user_has_approved: hasApproved,
    user_can_approve: canApprove,
    user_can_change_rules: isOpen(row) && mayChangeRules(caller),
    ...(await codeOwnersFields(deps, row)),
  }
}

/** Whether the caller may give merge requests of the project rules of their own. */
function mayChangeRules(caller: CallerInProject): boolean {
  const { project, user } = caller
  if (user === undefined || project.disable_overriding_approvers_per_merge_request) return false
  return may('manage_merge_requests', caller)
}

async function hasOwnRules(
  { database }: ApprovalDeps,
  { project }: CallerInProject,
  { id }: MergeRequestRow,
): Promise<boolean> {
  if (project.disable_overriding_approvers_per_merge_request) return false
  return (await approvalRulesOf(database, { mergeRequestIds: [id] })).length > 0
}

function ruleRecord(
  state: RuleState,
  { people, sources }: Found,
  { project, approverId }: { project: CallerInProject['project']; approverId: number | undefined },
): ApprovalState['rules'][number] {
  const { rule, required, left, approvedBy, eligible } = state
  return {
    ...presentMergeRequestRule(state, people, { project, sources }),
    code_owner: rule.ruleType === 'code_owner',
    approved: left === 0,
    approved_by: people.users(approvedBy),
    approvals_left: left,
    user_can_approve: approverId !== undefined && (eligible?.has(approverId) ?? true),
    unsatisfiable: eligible !== undefined && eligible.size < required,
    owned_files: rule.owned ? ownedFiles(rule.owned) : null,
  }
}

function ownedFiles({ line, owners, paths, pathCount, isOptional }: OwnedPaths) {
  return { line, owners: owners.map(writtenOwner), paths, path_count: pathCount, optional: isOptional }
}

/** As a file of code owners names it. */
function writtenOwner(owner: Owner): string {
  switch (owner.kind) {
    case 'name':
      return `@${owner.name}`
    case 'email':
      return owner.email
    case 'role':
      return `@@${owner.role}`
  }
}

async function codeOwnersFields(
  { database }: ApprovalDeps,
  row: MergeRequestRow,
): Promise<
  Pick<ApprovalState, 'code_owner_approval_required' | 'code_owners_path' | 'code_owners_problems'>
> {
  const branches = await protectedBranchesOf(database, [row.project_id])
  const protectedBranches = branches.get(row.project_id) ?? []
  const found: FoundCodeOwners | undefined = (await codeOwnersByMergeRequest(database, [row.id])).get(row.id)
  return {
    code_owner_approval_required: needsCodeOwners({ protectedBranches, targetBranch: row.target_branch }),
    code_owners_path: found?.file_path ?? null,
    code_owners_problems: found?.problems ?? [],
  }
}
