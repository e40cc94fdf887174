import type { EffectiveRule } from './effective-rules.js'

/** How far the approvals of a rule are. */
export interface RuleState {
  rule: EffectiveRule
  /** Number of approvals that it requires of this merge request. */
  required: number
  /** Number of approvals that are missing. */
  left: number
  /** Users whose approvals count for it, the first first. */
  approvedBy: readonly number[]
  /** Users who may approve for it; undefined = everybody who may approve the merge request. */
  eligible: ReadonlySet<number> | undefined
}

/**
 * The state of a rule. `approvers`: users whose approvals of the merge request count. A rule of code owners requires at most
 * as many approvals as there are people who may approve for it, and none if there is nobody: a file may name users who have
 * left. Other rules then go on requiring them, since somebody has to change the rule.
 * @param eligible undefined for rules that everybody may approve for
 */
export function ruleState(
  rule: EffectiveRule,
  approvers: readonly number[],
  eligible: ReadonlySet<number> | undefined,
): RuleState {
  const isBounded = rule.ruleType === 'code_owner' && !rule.isUnknown
  const required = isBounded ? Math.min(rule.approvalsRequired, eligible?.size ?? 0) : rule.approvalsRequired
  const approvedBy = eligible ? approvers.filter((id) => eligible.has(id)) : approvers
  return { rule, required, left: Math.max(0, required - approvedBy.length), approvedBy, eligible }
}

export function isApproved(states: readonly RuleState[]): boolean {
  return states.every(({ left }) => left === 0)
}

/** Approvals that the rules require, and those that are missing: one may count for several rules. */
export function approvalCounts(states: readonly RuleState[]): { required: number; left: number } {
  return {
    required: states.reduce((sum, { required }) => sum + required, 0),
    left: states.reduce((sum, { left }) => sum + left, 0),
  }
}
