import type { Project } from '../../../access/caller.js'
import type { Viewer } from '../../../access/visibility.js'
import type { Database } from '../../../database/connect.js'
import { deleteDependents } from '../../../database/delete-in-steps.js'
import { lockRow } from '../../../database/lock-row.js'
import { updateProject } from '../../../database/stores/project-store.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import { isUniqueViolation } from '../../../database/unique-violation.js'
import { checkRoom } from '../../../http/check-room.js'
import { invalidRecord, notFound } from '../../../http/errors.js'
import {
  addAnyApproverRule,
  type ApprovalRule,
  approvalRuleRows,
  approvalRulesOf,
  deleteApprovalRule,
  findApprovalRule,
  insertApprovalRule,
  replaceNamed,
  updateApprovalRule,
} from '../../stores/approval-rule-store.js'
import { ANY_APPROVER_NAME } from '../approval-rules/effective-rules.js'
import { namedByRequest, type NamedInRule } from './named-in-rule.js'
import type { EditProjectRule, NewProjectRule } from './rule-schema.js'

/** Of a project, and of a merge request. */
export const MAX_RULES = 100

const NOBODY: NamedInRule = { userIds: [], groupIds: [], branchIds: [] }

interface Changer {
  project: Project
  viewer: Viewer
}

/**
 * The rules of a project. `approvals_before_merge` may have been set by a client or a coordinator that knows no rules: the
 * rule `any_approver` is then added here.
 */
export async function projectRules(database: Database, project: Project): Promise<ApprovalRule[]> {
  const rules = await approvalRulesOf(database, { projectIds: [project.id] })
  const hasAny = rules.some(({ rule_type }) => rule_type === 'any_approver')
  if (hasAny || project.approvals_before_merge === 0) return rules
  await addAnyApproverRule(database, project.id, ANY_APPROVER_NAME)
  return approvalRulesOf(database, { projectIds: [project.id] })
}

/** Throws 404. */
export async function requireProjectRule(
  database: Database,
  project: Pick<Project, 'id'>,
  id: number,
): Promise<ApprovalRule> {
  const rule = await findApprovalRule(database, { projectId: project.id, mergeRequestId: null }, id)
  if (!rule) throw notFound()
  return rule
}

/** Throws 400 for a name or a rule `any_approver` that exists, unknown people or branches, and too many rules. */
export function createProjectRule(
  database: Database,
  { project, viewer }: Changer,
  { name, approvals_required, rule_type = 'regular', ...asked }: NewProjectRule,
): Promise<number> {
  return savingRule(() =>
    inTransaction(database, async (tx) => {
      await lockProject(tx, project)
      await checkRoom(approvalRuleRows(tx, project.id, null), { most: MAX_RULES, what: 'approval rules' })
      const named = await namedByRequest(tx, { projectId: project.id, viewer, before: NOBODY }, asked)
      const applies_to_all_protected_branches = asked.applies_to_all_protected_branches ?? false
      checkRule({ rule_type, approvals_required, applies_to_all_protected_branches }, named)
      if (rule_type === 'any_approver') await requireNoAnyApprover(tx, project)
      const { id } = await insertApprovalRule(tx, {
        project_id: project.id,
        merge_request_id: null,
        source_rule_id: null,
        name,
        rule_type,
        approvals_required: rule_type === 'regular' ? approvals_required : 0,
        applies_to_all_protected_branches,
      })
      await replaceNamed(tx, id, named)
      if (rule_type === 'any_approver') await setAnyApprovals(tx, project, approvals_required)
      return id
    }),
  )
}

/** Throws as `createProjectRule`, and 404. */
export function editProjectRule(
  database: Database,
  { project, viewer }: Changer,
  { approval_rule_id, name, approvals_required, ...asked }: EditProjectRule,
): Promise<number> {
  return savingRule(() =>
    inTransaction(database, async (tx) => {
      const { approvals_before_merge } = await lockProject(tx, project)
      const before = await requireProjectRule(tx, project, approval_rule_id)
      const named = await namedByRequest(tx, { projectId: project.id, viewer, before }, asked)
      const isAny = before.rule_type === 'any_approver'
      const required = approvals_required ?? (isAny ? approvals_before_merge : before.approvals_required)
      const isForAll = asked.applies_to_all_protected_branches ?? before.applies_to_all_protected_branches
      const after = {
        rule_type: before.rule_type,
        approvals_required: required,
        // Branches that are named replace all protected ones.
        applies_to_all_protected_branches: isForAll && !asked.protected_branch_ids?.length,
      }
      checkRule(after, named)
      await updateApprovalRule(tx, before.id, {
        name: name ?? before.name,
        approvals_required: isAny ? 0 : required,
        applies_to_all_protected_branches: after.applies_to_all_protected_branches,
      })
      await replaceNamed(tx, before.id, named)
      if (isAny) await setAnyApprovals(tx, project, required)
      return before.id
    }),
  )
}

/** The rule `any_approver` requires nothing after it was deleted. Throws 404. */
export async function deleteProjectRule(
  database: Database,
  project: Pick<Project, 'id'>,
  id: number,
): Promise<void> {
  await requireProjectRule(database, project, id)
  // Any number of merge requests may replace it.
  await deleteDependents(database, 'approval_rule', id)
  await inTransaction(database, async (tx) => {
    await lockProject(tx, project)
    const rule = await requireProjectRule(tx, project, id)
    await deleteApprovalRule(tx, id)
    if (rule.rule_type === 'any_approver') await setAnyApprovals(tx, project, 0)
  })
}

async function lockProject(tx: Transaction, { id }: Pick<Project, 'id'>): Promise<Project> {
  const project = await lockRow(tx, 'project', id)
  if (!project) throw notFound('Project')
  return project
}

/** Clients that know no rules read and write this column. */
async function setAnyApprovals(
  tx: Transaction,
  { id }: Pick<Project, 'id'>,
  approvals_before_merge: number,
): Promise<void> {
  await updateProject(tx, id, { approvals_before_merge })
}

async function requireNoAnyApprover(tx: Transaction, project: Project): Promise<void> {
  const rules = await projectRules(tx, project)
  if (rules.some(({ rule_type }) => rule_type === 'any_approver')) {
    throw invalidRecord({ rule_type: ['any-approver for the project already exists'] })
  }
}

/** Throws 400 for a rule that could never be met, or whose parts contradict each other. */
export function checkRule(
  {
    rule_type,
    approvals_required,
    applies_to_all_protected_branches,
  }: Pick<ApprovalRule, 'rule_type' | 'approvals_required' | 'applies_to_all_protected_branches'>,
  { userIds, groupIds, branchIds }: NamedInRule,
): void {
  const hasPeople = userIds.length + groupIds.length > 0
  if (rule_type === 'regular') {
    if (hasPeople || approvals_required === 0) return
    throw invalidRecord({
      users: ['or groups must be named: nobody could approve. Or use rule_type any_approver'],
    })
  }
  if (hasPeople) throw invalidRecord({ users: ['and groups must not be named by a rule any_approver'] })
  if (branchIds.length > 0 || applies_to_all_protected_branches) {
    throw invalidRecord({
      protected_branches: ['must not be named by a rule any_approver, which is for all'],
    })
  }
}

/** Throws 400 if another rule has the name. */
export async function savingRule<T>(save: () => Promise<T>): Promise<T> {
  try {
    return await save()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw invalidRecord({ name: ['has already been taken'] })
  }
}
