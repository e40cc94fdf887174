import { type Static, Type } from 'typebox'

import { GroupBrief } from '../../../accounts/groups/group-brief.js'
import { ProtectedBranch } from '../../../hosting/protected-refs/schema.js'
import { described, flag, optional, text } from '../../../http/parameters/described.js'
import { Nullable, NullableText, OneOf } from '../../../http/parameters/types.js'
import { PublicUser } from '../../../http/presenters/present-user.js'
import { ByIid } from '../schema.js'

const Count = Type.Integer()
const Id = described(Count, 'ID of the rule.')
const Users = Type.Array(PublicUser)

const rule = {
  id: Id,
  name: text('Name; of a rule of code owners, the pattern of its line.'),
  rule_type: text(
    'Type: `regular` for the users and groups that are named, `any_approver` for everybody who may approve, or `code_owner`.',
  ),
  report_type: described(Type.Null(), 'Always null: reports need no approvals.'),
  eligible_approvers: described(
    Users,
    'Active users who may approve for the rule, at most 50; empty for `any_approver`, for which all developers may.',
  ),
  eligible_approvers_count: described(Count, 'Number of all of them.'),
  approvals_required: described(Count, 'Number of approvals that the rule requires.'),
  users: described(Users, 'Users that the rule names.'),
  groups: described(Type.Array(GroupBrief), 'Groups that the rule names; their direct members may approve.'),
  contains_hidden_groups: flag('Whether it also names groups that the caller may not see.'),
}

/** An approval rule of a project (API, F4). */
export const ProjectRule = Type.Object({
  ...rule,
  protected_branches: described(
    Type.Array(ProtectedBranch),
    'Protected branches for which the rule is; without any, it is for all branches.',
  ),
  applies_to_all_protected_branches: flag('Whether the rule is for all protected branches, and no others.'),
})
export type ProjectRule = Static<typeof ProjectRule>

const SourceRule = Type.Object({
  id: described(Count, 'ID of the rule of the project.'),
  name: text('Name.'),
  rule_type: text('Type.'),
  approvals_required: described(Count, 'Number of approvals that the rule of the project requires.'),
})

/** A rule as it holds for a merge request (API, F4). */
export const MergeRequestRule = Type.Object({
  ...rule,
  section: described(
    NullableText,
    'Section of the file of code owners; null outside of one, and for other rules.',
  ),
  source_rule: described(
    Nullable(SourceRule),
    'The rule of the project that this one replaces; null if none.',
  ),
  overridden: flag('Whether it replaces a rule of the project.'),
})
export type MergeRequestRule = Static<typeof MergeRequestRule>

const OwnedFiles = Type.Object({
  line: described(Count, 'Line in the file of code owners, from 1.'),
  owners: described(Type.Array(Type.String()), 'Owners as the line or its section names them.'),
  paths: described(Type.Array(Type.String()), 'The first changed files that they own.'),
  path_count: described(Count, 'Number of changed files that they own.'),
  optional: flag('Whether the section is optional.'),
})

const RuleInState = Type.Object({
  ...MergeRequestRule.properties,
  code_owner: flag('Whether it is a rule of code owners.'),
  approved: flag('Whether no approval is missing.'),
  approved_by: described(Users, 'Users whose approvals count for the rule, the first first.'),
  approvals_left: described(Count, 'Number of approvals that are missing.'),
  user_can_approve: flag('Whether an approval of the caller would count for the rule now.'),
  unsatisfiable: flag(
    'Whether fewer people may approve for the rule than it requires; somebody must change the rule then.',
  ),
  owned_files: described(Nullable(OwnedFiles), 'What a rule of code owners is about; null for other rules.'),
})

const Problem = Type.Object({
  line: described(Count, 'Line, from 1.'),
  kind: text('Kind, such as `owner_malformed` or `no_owner`.'),
  message: text('What is wrong.'),
})

/** Everything about who must approve a merge request, and who has (API, F4). */
export const ApprovalState = Type.Object({
  approval_rules_overwritten: flag('Whether the merge request has rules of its own.'),
  rules: described(Type.Array(RuleInState), 'All rules that hold, also those that require nothing.'),
  approved: flag('Whether no approval is missing.'),
  approvals_required: described(Count, 'Sum of the approvals that the rules require.'),
  approvals_left: described(Count, 'Sum of the missing approvals; one approval may count for several rules.'),
  approved_by: described(Users, 'Users whose approvals count, the first first.'),
  user_has_approved: flag('Whether the caller has approved.'),
  user_can_approve: flag('Whether the caller may approve now.'),
  user_can_change_rules: flag('Whether the caller may give the merge request rules of its own.'),
  code_owner_approval_required: flag('Whether the target branch requires the approvals of code owners.'),
  code_owners_path: described(
    NullableText,
    'The file of code owners in the target branch; null if there is none.',
  ),
  code_owners_problems: described(Type.Array(Problem), 'What is wrong in that file; at most 101.'),
})
export type ApprovalState = Static<typeof ApprovalState>

const Ids = Type.Array(Type.Integer(), { maxItems: 100 })
const Names = Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { maxItems: 100 })
const Name = Type.String({ minLength: 1, maxLength: 255 })
const Required = Type.Integer({ minimum: 0, maximum: 1000 })

const people = {
  user_ids: optional(Ids, 'IDs of users who may approve for the rule.'),
  usernames: optional(Names, 'Names of users who may approve for the rule, besides `user_ids`.'),
  group_ids: optional(Ids, 'IDs of groups whose direct members may approve for the rule.'),
}

const branches = {
  protected_branch_ids: optional(
    Ids,
    'IDs of the protected branches for which the rule is; empty for all branches.',
  ),
  applies_to_all_protected_branches: optional(
    Type.Boolean(),
    'Whether the rule is for all protected branches, and no others; false by default.',
  ),
}

const changes = {
  name: optional(Name, 'Name; unique.'),
  approvals_required: optional(Required, 'Number of approvals that the rule requires.'),
  ...people,
  remove_hidden_groups: optional(
    Type.Boolean(),
    'Whether to remove the groups that the caller may not see, which otherwise stay; false by default.',
  ),
}

const RuleType = OneOf('regular', 'any_approver')

export const RuleId = Type.Object({ approval_rule_id: Id })

export const NewProjectRule = Type.Object({
  name: described(Name, 'Name; unique within the project.'),
  approvals_required: described(Required, 'Number of approvals that the rule requires.'),
  rule_type: optional(
    RuleType,
    'Type; `regular` by default. A project has one rule `any_approver`, whose number is `approvals_before_merge`.',
  ),
  ...people,
  ...branches,
})
export type NewProjectRule = Static<typeof NewProjectRule>

export const EditProjectRule = Type.Object({ approval_rule_id: Id, ...changes, ...branches })
export type EditProjectRule = Static<typeof EditProjectRule>

export const MergeRequestRuleId = Type.Object({ ...ByIid.properties, approval_rule_id: Id })

export const NewMergeRequestRule = Type.Object({
  ...ByIid.properties,
  name: optional(Name, 'Name; unique within the merge request. By default that of the rule of the project.'),
  approvals_required: described(Required, 'Number of approvals that the rule requires.'),
  approval_project_rule_id: optional(
    Type.Integer(),
    'ID of the rule of the project that this one replaces; its users and groups are taken unless others are named.',
  ),
  rule_type: optional(RuleType, 'Type; `regular` by default, or that of the rule of the project.'),
  ...people,
})
export type NewMergeRequestRule = Static<typeof NewMergeRequestRule>

export const EditMergeRequestRule = Type.Object({ ...ByIid.properties, approval_rule_id: Id, ...changes })
export type EditMergeRequestRule = Static<typeof EditMergeRequestRule>
