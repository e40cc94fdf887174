import { createHash } from 'node:crypto'

import type { Owner } from '../../../../code-owners/code-owners.js'
import type { OwnedPaths } from '../../../../code-owners/owned-paths.js'
import { matchesRefPattern } from '../../../../git/ref-pattern.js'
import type { Project } from '../../../access/caller.js'
import type { ApprovalRule } from '../../stores/approval-rule-store.js'
import type { FoundCodeOwners } from '../../stores/code-owners-store.js'

/** A rule as it holds for one merge request. */
export interface EffectiveRule {
  id: number
  name: string
  ruleType: 'regular' | 'any_approver' | 'code_owner'
  /** Number of approvals by people who may approve for it. */
  approvalsRequired: number
  userIds: readonly number[]
  /** Their direct members may approve for it. */
  groupIds: readonly number[]
  /** Whom a file of code owners names; only of the type `code_owner`. */
  owners: readonly Owner[]
  /** The rule of the project that this one replaces; null = none. */
  sourceRuleId: number | null
  /** Whether it is a rule of the merge request that replaces one of the project. */
  isOverride: boolean
  /** Of the type `code_owner`: the changed files, and the line that gives them owners. */
  owned?: OwnedPaths
  /** Whether nobody can approve for it, because the file of code owners could not be read whole. */
  isUnknown: boolean
}

export interface RuleSources {
  project: Pick<Project, 'approvals_before_merge' | 'disable_overriding_approvers_per_merge_request'>
  targetBranch: string
  projectRules: readonly ApprovalRule[]
  mergeRequestRules: readonly ApprovalRule[]
  /** Rules of protected branches of the project. */
  protectedBranches: readonly { id: number; name: string; code_owner_approval_required: boolean }[]
  /** For the head and the target branch; undefined = not found yet. */
  codeOwners: FoundCodeOwners | undefined
}

export const ANY_APPROVER_NAME = 'All Members'

/**
 * The rules that hold for a merge request: those of the project for its target branch, replaced by those of the merge request
 * where the project lets them be, its additional ones, and those of code owners. A rule that replaces one of the project
 * never requires fewer approvals.
 */
export function effectiveRules(sources: RuleSources): EffectiveRule[] {
  const { project, mergeRequestRules } = sources
  const own = project.disable_overriding_approvers_per_merge_request ? [] : mergeRequestRules
  const overrides = new Map(own.map((rule) => [rule.source_rule_id, rule]))
  const ofProject = sources.projectRules.filter(
    (rule) => rule.rule_type === 'regular' && isForBranch(rule, sources),
  )
  return [
    anyApprover(sources, own),
    ...ofProject.map((rule) => overridden(rule, overrides.get(rule.id))),
    ...own
      .filter((rule) => rule.rule_type === 'regular' && rule.source_rule_id === null)
      .map((rule) => ruleOf(rule)),
    ...codeOwnerRules(sources),
  ].filter((rule) => rule !== undefined)
}

/** Whether a rule of the project is for the target branch. */
function isForBranch(
  rule: Pick<ApprovalRule, 'applies_to_all_protected_branches' | 'branchIds'>,
  { protectedBranches, targetBranch }: Pick<RuleSources, 'protectedBranches' | 'targetBranch'>,
): boolean {
  const matching = protectedBranches.filter(({ name }) => matchesRefPattern(name, targetBranch))
  if (rule.applies_to_all_protected_branches) return matching.length > 0
  return rule.branchIds.length === 0 || matching.some(({ id }) => rule.branchIds.includes(id))
}

/** The rule `any_approver`: its number is that of the project, unless one of the merge request requires more. */
function anyApprover(
  { project, projectRules }: RuleSources,
  own: readonly ApprovalRule[],
): EffectiveRule | undefined {
  const ofProject = projectRules.find(({ rule_type }) => rule_type === 'any_approver')
  const override = own.find(({ rule_type }) => rule_type === 'any_approver')
  const least = project.approvals_before_merge
  if (override) {
    const approvalsRequired = Math.max(least, override.approvals_required)
    const isOverride = override.source_rule_id !== null
    return { ...ruleOf(override), approvalsRequired, sourceRuleId: ofProject?.id ?? null, isOverride }
  }
  if (ofProject) return { ...ruleOf(ofProject), approvalsRequired: least }
  if (least === 0) return undefined
  // Set by a coordinator of the release before, which knows no rules.
  return { ...NO_ONE, id: 0, name: ANY_APPROVER_NAME, ruleType: 'any_approver', approvalsRequired: least }
}

function overridden(rule: ApprovalRule, override: ApprovalRule | undefined): EffectiveRule {
  if (!override) return ruleOf(rule)
  const approvalsRequired = Math.max(rule.approvals_required, override.approvals_required)
  return { ...ruleOf(override), approvalsRequired, sourceRuleId: rule.id, isOverride: true }
}

const NO_ONE = {
  userIds: [],
  groupIds: [],
  owners: [],
  sourceRuleId: null,
  isOverride: false,
  isUnknown: false,
} satisfies Partial<EffectiveRule>

function ruleOf({ id, name, rule_type, approvals_required, userIds, groupIds }: ApprovalRule): EffectiveRule {
  return {
    ...NO_ONE,
    id,
    name,
    ruleType: rule_type,
    approvalsRequired: approvals_required,
    userIds,
    groupIds,
  }
}

/** Rules of code owners, which are required where a rule of the protected target branch says so. */
function codeOwnerRules(sources: RuleSources): EffectiveRule[] {
  const { codeOwners } = sources
  const isRequired = needsCodeOwners(sources)
  const rules = (codeOwners?.owned ?? []).map((owned): EffectiveRule => ({
    ...NO_ONE,
    id: idOf(owned),
    name: owned.pattern,
    ruleType: 'code_owner',
    approvalsRequired: isRequired ? owned.approvals : 0,
    owners: owned.owners,
    owned,
  }))
  return isRequired && !codeOwners?.is_complete ? [...rules, UNKNOWN] : rules
}

/** Whether a merge into the branch needs the approvals of code owners. */
export function needsCodeOwners({
  protectedBranches,
  targetBranch,
}: Pick<RuleSources, 'protectedBranches' | 'targetBranch'>): boolean {
  return protectedBranches.some(
    ({ name, code_owner_approval_required }) =>
      code_owner_approval_required && matchesRefPattern(name, targetBranch),
  )
}

/** IDs of rules of code owners, which have no row, begin here. */
const FIRST_ID = 2 ** 30

/** The same for the same line of a file, until its pattern or section changes. */
function idOf({ section, pattern }: OwnedPaths): number {
  const digest = createHash('sha256')
    .update(`${section ?? ''}\0${pattern}`)
    .digest()
  return FIRST_ID + (digest.readUInt32BE() >>> 2)
}

/** Until it is known who the owners are, they have not approved. */
const UNKNOWN: EffectiveRule = {
  ...NO_ONE,
  id: FIRST_ID - 1,
  name: 'CODEOWNERS',
  ruleType: 'code_owner',
  approvalsRequired: 1,
  isUnknown: true,
}
