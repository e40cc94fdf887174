import type { Project } from '../../../access/caller.js'
import type { Viewer } from '../../../access/visibility.js'
import { type GroupBrief, presentGroupBriefs } from '../../../accounts/groups/group-brief.js'
import type { Database } from '../../../database/connect.js'
import { listAccess } from '../../../hosting/protected-refs/access-store.js'
import { presentProtectedBranch } from '../../../hosting/protected-refs/present.js'
import type { ProtectedBranch } from '../../../hosting/protected-refs/schema.js'
import { presentUser, type PublicUser } from '../../../http/presenters/present-user.js'
import { usersById } from '../../../http/presenters/users-by-id.js'
import type { ApprovalRule } from '../../stores/approval-rule-store.js'
import { directMembers } from '../approval-rules/approval-states.js'
import type { RuleState } from '../approval-rules/rule-states.js'
import { Approvers } from '../approval-rules/who-may-approve.js'
import type { PresentDeps } from '../present.js'
import { numberOf } from './merge-request-rules.js'
import { hiddenAmong } from './named-in-rule.js'
import type { MergeRequestRule, ProjectRule } from './rule-schema.js'

/** People that rules name, as records. */
export interface People {
  users: (ids: Iterable<number>) => PublicUser[]
  groups: (ids: readonly number[]) => GroupBrief[]
  /** IDs of groups that the caller may not see. */
  hidden: ReadonlySet<number>
}

/** Reads what records of rules show of these users and groups. */
export async function peopleOf(
  { database, externalUrl }: PresentDeps,
  viewer: Viewer,
  { userIds, groupIds }: { userIds: number[]; groupIds: number[] },
): Promise<People> {
  const users = await usersById(database, userIds)
  const hidden = new Set(await hiddenAmong(database, viewer, [...new Set(groupIds)]))
  const shown = [...new Set(groupIds)].filter((id) => !hidden.has(id))
  const groups = new Map((await groupBriefs(database, shown, externalUrl)).map((group) => [group.id, group]))
  return {
    users: (ids) =>
      [...ids].flatMap((id) => {
        const user = users.get(id)
        return user ? [presentUser(user, externalUrl)] : []
      }),
    groups: (ids) => ids.flatMap((id) => groups.get(id) ?? []),
    hidden,
  }
}

async function groupBriefs(database: Database, ids: number[], externalUrl: string): Promise<GroupBrief[]> {
  if (ids.length === 0) return []
  const rows = await database.selectFrom('namespace').selectAll().where('id', 'in', ids).execute()
  return presentGroupBriefs(database, rows, externalUrl)
}

/** Number of users of a record; a file of code owners may give a merge request a thousand rules. */
const MAX_ELIGIBLE = 50

function eligibleFields(people: People, ids: readonly number[]) {
  return {
    eligible_approvers: people.users(ids.slice(0, MAX_ELIGIBLE)),
    eligible_approvers_count: ids.length,
  }
}

/** Records of rules of a project. `author_id` is nobody's: those who may approve merge requests of others are eligible. */
export async function presentProjectRules(
  deps: PresentDeps,
  { project, viewer }: { project: Project; viewer: Viewer },
  rules: readonly ApprovalRule[],
): Promise<ProjectRule[]> {
  const { database } = deps
  const groupIds = rules.flatMap((rule) => rule.groupIds)
  const members = await directMembers(database, groupIds)
  const candidates = (rule: ApprovalRule) => [
    ...new Set([...rule.userIds, ...rule.groupIds.flatMap((id) => members.get(id) ?? [])]),
  ]
  const userIds = rules.flatMap(candidates)
  const people = await peopleOf(deps, viewer, { userIds, groupIds })
  const approvers = await Approvers.read(database, project, userIds)
  const branches = await branchesOf(
    database,
    rules.flatMap(({ branchIds }) => branchIds),
  )
  return rules.map((rule) => ({
    id: rule.id,
    name: rule.name,
    rule_type: rule.rule_type,
    report_type: null,
    ...eligibleFields(
      people,
      candidates(rule).filter((id) => approvers.has(id, { author_id: 0 })),
    ),
    approvals_required: numberOf(project, rule),
    users: people.users(rule.userIds),
    groups: people.groups(rule.groupIds),
    contains_hidden_groups: rule.groupIds.some((id) => people.hidden.has(id)),
    protected_branches: rule.branchIds.flatMap((id) => branches.get(id) ?? []),
    applies_to_all_protected_branches: rule.applies_to_all_protected_branches,
  }))
}

async function branchesOf(database: Database, ids: number[]): Promise<Map<number, ProtectedBranch>> {
  if (ids.length === 0) return new Map()
  const rows = await database.selectFrom('protected_ref').selectAll().where('id', 'in', ids).execute()
  const named = await listAccess(database, ids)
  return new Map(
    rows.map((row) => [
      row.id,
      presentProtectedBranch(
        row,
        named.filter(({ protected_ref_id }) => protected_ref_id === row.id),
      ),
    ]),
  )
}

/** The record of a rule as it holds for a merge request. `sources`: rules of the project by ID. */
export function presentMergeRequestRule(
  { rule, required, eligible }: RuleState,
  people: People,
  { project, sources }: { project: Project; sources: ReadonlyMap<number, ApprovalRule> },
): MergeRequestRule {
  const source = rule.isOverride ? sources.get(rule.sourceRuleId ?? 0) : undefined
  return {
    id: rule.id,
    name: rule.name,
    rule_type: rule.ruleType,
    report_type: null,
    ...eligibleFields(people, [...(eligible ?? [])]),
    approvals_required: required,
    users: people.users(rule.userIds),
    groups: people.groups(rule.groupIds),
    contains_hidden_groups: rule.groupIds.some((id) => people.hidden.has(id)),
    section: rule.owned?.section ?? null,
    source_rule: source
      ? {
          id: source.id,
          name: source.name,
          rule_type: source.rule_type,
          approvals_required: numberOf(project, source),
        }
      : null,
    overridden: rule.isOverride,
  }
}
