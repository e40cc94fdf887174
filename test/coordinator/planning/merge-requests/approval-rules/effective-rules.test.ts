import { expect, test } from 'vitest'

import {
  type EffectiveRule,
  effectiveRules,
  type RuleSources,
} from '../../../../../src/coordinator/planning/merge-requests/approval-rules/effective-rules.js'
import { ruleState } from '../../../../../src/coordinator/planning/merge-requests/approval-rules/rule-states.js'
import type { ApprovalRule } from '../../../../../src/coordinator/planning/stores/approval-rule-store.js'

function rule(more: Partial<ApprovalRule>): ApprovalRule {
  return {
    id: 1,
    project_id: 1,
    merge_request_id: null,
    source_rule_id: null,
    name: 'One',
    rule_type: 'regular',
    approvals_required: 1,
    applies_to_all_protected_branches: false,
    created_at: 0,
    updated_at: 0,
    userIds: [7],
    groupIds: [],
    branchIds: [],
    ...more,
  }
}

const NONE: RuleSources = {
  project: { approvals_before_merge: 0, disable_overriding_approvers_per_merge_request: false },
  targetBranch: 'main',
  projectRules: [],
  mergeRequestRules: [],
  protectedBranches: [{ id: 5, name: 'main', code_owner_approval_required: false }],
  codeOwners: undefined,
}

/** `name number`, one for each rule. */
function shown(sources: Partial<RuleSources>): string[] {
  return effectiveRules({ ...NONE, ...sources }).map(
    ({ name, approvalsRequired }) => `${name} ${approvalsRequired}`,
  )
}

const OWN = { id: 2, merge_request_id: 9 }
const ANY: Partial<ApprovalRule> = { rule_type: 'any_approver', name: 'Any', userIds: [] }
const LOCKED = { approvals_before_merge: 0, disable_overriding_approvers_per_merge_request: true }
const TWO = { approvals_before_merge: 2, disable_overriding_approvers_per_merge_request: false }
const REQUIRED = [{ id: 5, name: 'm*', code_owner_approval_required: true }]

test.each<[what: string, sources: Partial<RuleSources>, rules: string[]]>([
  ['nothing without rules', {}, []],
  ['the number of the project without a rule', { project: TWO }, ['All Members 2']],
  [
    'the number of the project, whatever the row says',
    { project: TWO, projectRules: [rule(ANY)] },
    ['Any 2'],
  ],
  ['a rule for all branches', { projectRules: [rule({})] }, ['One 1']],
  ['a rule for the branch', { projectRules: [rule({ branchIds: [5] })] }, ['One 1']],
  ['no rule for another branch', { projectRules: [rule({ branchIds: [6] })] }, []],
  [
    'no rule for protected branches',
    { projectRules: [rule({ applies_to_all_protected_branches: true })], targetBranch: 'topic' },
    [],
  ],
  [
    'a rule that is replaced',
    {
      projectRules: [rule({})],
      mergeRequestRules: [rule({ ...OWN, source_rule_id: 1, name: 'Own', approvals_required: 3 })],
    },
    ['Own 3'],
  ],
  [
    'no fewer approvals than the project',
    {
      projectRules: [rule({ approvals_required: 4 })],
      mergeRequestRules: [rule({ ...OWN, source_rule_id: 1 })],
    },
    ['One 4'],
  ],
  [
    'no fewer approvals of anybody than the project',
    { project: TWO, mergeRequestRules: [rule({ ...ANY, ...OWN, approvals_required: 1 })] },
    ['Any 2'],
  ],
  ['an additional rule', { mergeRequestRules: [rule({ ...OWN, name: 'More' })] }, ['More 1']],
  [
    'only rules of the project where others are not let',
    {
      project: LOCKED,
      projectRules: [rule({})],
      mergeRequestRules: [rule({ ...OWN, source_rule_id: 1, name: 'Own' })],
    },
    ['One 1'],
  ],
  ['unknown owners where they must approve', { protectedBranches: REQUIRED }, ['CODEOWNERS 1']],
])('%s', (_what, sources, rules) => {
  expect(shown(sources)).toEqual(rules)
})

const [regular] = effectiveRules({ ...NONE, projectRules: [rule({ approvals_required: 2 })] })
const [unknown] = effectiveRules({ ...NONE, protectedBranches: REQUIRED })

test.each<
  [string, Partial<EffectiveRule>, approvers: number[], eligible: number[] | undefined, left: number]
>([
  ['counts those who may approve for it', {}, [1, 2, 3], [2, 3], 0],
  ['does not count others', {}, [1, 2], [2, 3], 1],
  ['counts everybody where everybody may', {}, [1, 2], undefined, 0],
  ['stays unmet if too few may approve', {}, [2], [2], 1],
  ['of code owners requires no more than there are', { ruleType: 'code_owner' }, [2], [2], 0],
  ['of code owners requires nothing if there is nobody', { ruleType: 'code_owner' }, [], [], 0],
  ['of unknown code owners stays unmet', unknown ?? {}, [1], [], 1],
])('a rule %s', (_what, more, approvers, eligible, left) => {
  if (!regular) throw new Error('There is no rule')
  expect(ruleState({ ...regular, ...more }, approvers, eligible && new Set(eligible)).left).toBe(left)
})
