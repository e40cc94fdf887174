import type { Default, Id, Timestamp } from '../columns.js'

/**
 * A rule about who must approve merge requests of a project, or one merge request. The number of approvals of the rule
 * `any_approver` of a project is `approvals_before_merge` of the project, and `approvals_required` of its row has no meaning.
 */
export interface ApprovalRuleTable {
  id: Id
  /** The target project. */
  project_id: number
  /** Null = a rule of the project, for all its merge requests. */
  merge_request_id: number | null
  /** The rule of the project that this one replaces in its merge request; null = an additional rule. */
  source_rule_id: number | null
  /** Unique within the project or the merge request. */
  name: string
  rule_type: 'regular' | 'any_approver'
  approvals_required: Default<number>
  /** Whether it is only for branches that are protected. */
  applies_to_all_protected_branches: Default<boolean>
  created_at: Timestamp
  updated_at: Timestamp
}

/** A user who may approve for a rule. */
export interface ApprovalRuleUserTable {
  approval_rule_id: number
  user_id: number
}

/** A group whose direct members may approve for a rule. */
export interface ApprovalRuleGroupTable {
  approval_rule_id: number
  group_id: number
}

/** A protected branch for which a rule is; a rule without any is for all branches. */
export interface ApprovalRuleBranchTable {
  approval_rule_id: number
  protected_ref_id: number
}

/** What the code owners of the changed files of a merge request are, for one head and one head of the target. */
export interface MergeRequestCodeOwnersTable {
  merge_request_id: number
  head_sha: string
  /** Head of the target branch whose file of code owners was read. */
  target_sha: string
  target_branch: string
  /** Merge base of both. */
  base_sha: string
  /** The file of code owners; null = there is none. */
  file_path: string | null
  /** Whether it was read whole; if not, files may have owners that are not known. */
  is_complete: boolean
  /** JSON: `OwnedPaths[]`. */
  owned: string
  /** JSON: `CodeOwnersProblem[]`. */
  problems: string
}
