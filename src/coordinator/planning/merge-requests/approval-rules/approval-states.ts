import { groupBy } from '../../../../lib/group-by.js'
import { isLive } from '../../../access/is-live.js'
import type { Database } from '../../../database/connect.js'
import { approvalRulesOf } from '../../stores/approval-rule-store.js'
import { codeOwnersByMergeRequest, type FoundCodeOwners } from '../../stores/code-owners-store.js'
import { type Approvable, countingApprovals } from './counting-approvals.js'
import { type EffectiveRule, effectiveRules, needsCodeOwners } from './effective-rules.js'
import { resolveOwners } from './resolve-owners.js'
import { type RuleState, ruleState } from './rule-states.js'
import { Approvers } from './who-may-approve.js'

interface Options {
  /**
   * Head of the target branch into which they are merged: code owners must have been found for it. By default those that
   * were found for the head of the source branch count.
   */
  targetSha?: string | undefined
  /** Whether rules count that require nothing; false by default, for decisions. */
  withOptional?: boolean
}

/**
 * The rules that hold for merge requests, and how far their approvals are, by ID, at this moment. The number of queries does
 * not depend on the number of merge requests of a project.
 */
export async function approvalStates(
  database: Database,
  approvables: readonly Approvable[],
  options: Options = {},
): Promise<Map<number, RuleState[]>> {
  const rules = await rulesOfEach(database, approvables, options)
  const found = new Map<number, RuleState[]>()
  if ([...rules.values()].every((each) => each.length === 0)) return found
  const approvals = await countingApprovals(
    database,
    approvables.filter(({ row }) => rules.get(row.id)?.length),
  )
  for (const some of groupBy(approvables, ({ project }) => project.id).values()) {
    const eligible = await eligibleIn(database, some, rules)
    for (const { row } of some) {
      const approvers = (approvals.get(row.id) ?? []).map(({ user_id }) => user_id)
      const states = (rules.get(row.id) ?? []).map((rule) => ruleState(rule, approvers, eligible.get(rule)))
      found.set(row.id, states)
    }
  }
  return found
}

async function rulesOfEach(
  database: Database,
  approvables: readonly Approvable[],
  { targetSha, withOptional = false }: Options,
): Promise<Map<number, EffectiveRule[]>> {
  if (approvables.length === 0) return new Map()
  const projectIds = [...new Set(approvables.map(({ project }) => project.id))]
  const mergeRequestIds = approvables.map(({ row }) => row.id)
  const rules = await approvalRulesOf(database, { projectIds, mergeRequestIds })
  const branches = await protectedBranchesOf(database, projectIds)
  const branchesOf = ({ project, row }: Approvable) => ({
    protectedBranches: branches.get(project.id) ?? [],
    targetBranch: row.target_branch,
  })
  const withOwners = withOptional
    ? approvables
    : approvables.filter((each) => needsCodeOwners(branchesOf(each)))
  const codeOwners = await codeOwnersByMergeRequest(
    database,
    withOwners.map(({ row }) => row.id),
  )
  return new Map(
    approvables.map((approvable) => {
      const { project, row } = approvable
      const effective = effectiveRules({
        project,
        ...branchesOf(approvable),
        projectRules: rules.filter(
          (rule) => rule.merge_request_id === null && rule.project_id === project.id,
        ),
        mergeRequestRules: rules.filter((rule) => rule.merge_request_id === row.id),
        codeOwners: isForMerge(codeOwners.get(row.id), row, targetSha) ? codeOwners.get(row.id) : undefined,
      })
      return [
        row.id,
        withOptional ? effective : effective.filter(({ approvalsRequired }) => approvalsRequired > 0),
      ]
    }),
  )
}

/** Whether code owners were found for the head of the merge request, and for the head of the target if that is known. */
function isForMerge(
  found: FoundCodeOwners | undefined,
  { head_sha, target_branch }: Approvable['row'],
  targetSha: string | undefined,
): boolean {
  if (found?.head_sha !== head_sha || found.target_branch !== target_branch) return false
  return targetSha === undefined || found.target_sha === targetSha
}

/** Rules of protected branches by project ID. */
export async function protectedBranchesOf(database: Database, projectIds: readonly number[]) {
  const rows = await database
    .selectFrom('protected_ref')
    .select(['id', 'project_id', 'name', 'code_owner_approval_required'])
    .where('kind', '=', 'branch')
    .where('project_id', 'in', projectIds)
    .execute()
  return groupBy(rows, ({ project_id }) => project_id)
}

/** Who may approve for the rules of merge requests of one project; nobody is listed for rules that everybody may. */
async function eligibleIn(
  database: Database,
  approvables: readonly Approvable[],
  rules: ReadonlyMap<number, EffectiveRule[]>,
): Promise<Map<EffectiveRule, ReadonlySet<number>>> {
  const project = approvables[0]?.project
  const named = approvables.flatMap(({ row }) =>
    (rules.get(row.id) ?? [])
      .filter(({ ruleType }) => ruleType !== 'any_approver')
      .map((rule) => ({ rule, row })),
  )
  if (!project || named.length === 0) return new Map()
  const groups = await directMembers(
    database,
    named.flatMap(({ rule }) => rule.groupIds),
  )
  const resolve = await resolveOwners(
    database,
    project.id,
    named.flatMap(({ rule }) => rule.owners),
  )
  /** Many rules of code owners name the same people. */
  const candidates = new Map<string, ReadonlySet<number>>()
  for (const { rule } of named) {
    const key = peopleKey(rule)
    if (candidates.has(key)) continue
    const ofGroups = rule.groupIds.flatMap((id) => groups.get(id) ?? [])
    candidates.set(key, new Set([...rule.userIds, ...ofGroups, ...rule.owners.flatMap(resolve)]))
  }
  const everybody = new Set([...candidates.values()].flatMap((ids) => [...ids]))
  const approvers = await Approvers.read(database, project, everybody)
  const eligible = new Map<string, ReadonlySet<number>>()
  return new Map(
    named.map(({ rule, row }) => {
      const key = `${row.author_id} ${peopleKey(rule)}`
      const ids = [...(candidates.get(peopleKey(rule)) ?? [])]
      const found = eligible.get(key) ?? new Set(ids.filter((userId) => approvers.has(userId, row)))
      eligible.set(key, found)
      return [rule, found]
    }),
  )
}

function peopleKey({ userIds, groupIds, owners }: EffectiveRule): string {
  return JSON.stringify([userIds, groupIds, owners])
}

/** User IDs by group ID. */
export async function directMembers(
  database: Database,
  groupIds: readonly number[],
): Promise<Map<number, number[]>> {
  if (groupIds.length === 0) return new Map()
  const rows = await database
    .selectFrom('member')
    .select(['group_id', 'user_id'])
    .where('group_id', 'in', [...new Set(groupIds)])
    .where(isLive('member', Date.now()))
    .execute()
  const byGroup = groupBy(rows, ({ group_id }) => group_id ?? 0)
  return new Map([...byGroup].map(([id, members]) => [id, members.map(({ user_id }) => user_id)]))
}
