import type { Project, User } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import { checkRoom } from '../../../http/check-room.js'
import { apiError, invalidRecord, notFound } from '../../../http/errors.js'
import { lockTheMergeRequest } from '../../access/merge-request-access.js'
import {
  type ApprovalRule,
  approvalRuleRows,
  deleteApprovalRule,
  findApprovalRule,
  insertApprovalRule,
  replaceNamed,
  updateApprovalRule,
} from '../../stores/approval-rule-store.js'
import type { MergeRequestRow } from '../../stores/merge-request-store.js'
import { requestTask } from '../../stores/merge-request-task-store.js'
import { inBold } from '../../system-notes/change-notes.js'
import { addSystemNotes } from '../../system-notes/system-notes.js'
import { namedByRequest, type NamedInRule } from './named-in-rule.js'
import { checkRule, MAX_RULES, projectRules, requireProjectRule, savingRule } from './project-rules.js'
import type { EditMergeRequestRule, NewMergeRequestRule } from './rule-schema.js'

interface Changer {
  project: Project
  viewer: User
}

const NOBODY: NamedInRule = { userIds: [], groupIds: [], branchIds: [] }

/**
 * Gives a merge request a rule of its own: an additional one, or one that replaces a rule of the project. Throws 403 if the
 * project does not let it, 404 for an unknown merge request or rule of the project, and 400 for a name that exists, unknown
 * people, fewer approvals than the rule of the project requires, and too many rules.
 */
export function createMergeRequestRule(
  database: Database,
  changer: Changer,
  {
    merge_request_iid,
    approval_project_rule_id,
    approvals_required,
    name,
    rule_type,
    ...asked
  }: NewMergeRequestRule,
): Promise<number> {
  const { project, viewer } = changer
  return changeRules(database, changer, merge_request_iid, async (tx, row) => {
    await checkRoom(approvalRuleRows(tx, project.id, row.id), { most: MAX_RULES, what: 'approval rules' })
    const source =
      approval_project_rule_id === undefined
        ? await anyApproverOf(tx, project, rule_type)
        : await requireProjectRule(tx, project, approval_project_rule_id)
    const shownName = name ?? source?.name
    if (shownName === undefined) throw invalidRecord({ name: ["can't be blank"] })
    const before = source ? { ...source, branchIds: [] } : NOBODY
    const named = await namedByRequest(tx, { projectId: project.id, viewer, before }, asked)
    const values = { rule_type: source?.rule_type ?? rule_type ?? 'regular', approvals_required }
    checkNumber(project, source, approvals_required)
    checkRule({ ...values, applies_to_all_protected_branches: false }, named)
    const { id } = await insertApprovalRule(tx, {
      project_id: project.id,
      merge_request_id: row.id,
      source_rule_id: source?.id ?? null,
      name: shownName,
      ...values,
    })
    await replaceNamed(tx, id, named)
    const replaces = source ? ', instead of that of the project' : ''
    await note(tx, changer, row, `added ${described({ name: shownName, approvals_required })}${replaces}`)
    return id
  })
}

/** The rule that another one of this type replaces without saying so: a merge request has one `any_approver`. */
async function anyApproverOf(
  tx: Transaction,
  project: Project,
  ruleType: ApprovalRule['rule_type'] | undefined,
): Promise<ApprovalRule | undefined> {
  if (ruleType !== 'any_approver') return undefined
  return (await projectRules(tx, project)).find(({ rule_type }) => rule_type === 'any_approver')
}

/** Changes a rule of a merge request, or replaces the rule of the project that has the ID. Throws as `createMergeRequestRule`. */
export async function editMergeRequestRule(
  database: Database,
  changer: Changer,
  params: EditMergeRequestRule,
): Promise<number> {
  const { project, viewer } = changer
  const { merge_request_iid, approval_rule_id, name, approvals_required, ...asked } = params
  const source = await findApprovalRule(
    database,
    { projectId: project.id, mergeRequestId: null },
    approval_rule_id,
  )
  if (source) {
    const required = approvals_required ?? numberOf(project, source)
    const values = { merge_request_iid, approval_project_rule_id: source.id, approvals_required: required }
    return createMergeRequestRule(database, changer, {
      ...asked,
      ...values,
      ...(name !== undefined && { name }),
    })
  }
  return changeRules(database, changer, merge_request_iid, async (tx, row) => {
    const before = await requireMergeRequestRule(tx, row, approval_rule_id)
    const named = await namedByRequest(tx, { projectId: project.id, viewer, before }, asked)
    const required = approvals_required ?? before.approvals_required
    const replaced =
      before.source_rule_id === null
        ? undefined
        : await requireProjectRule(tx, project, before.source_rule_id)
    if (approvals_required !== undefined) checkNumber(project, replaced, required)
    checkRule({ ...before, approvals_required: required }, named)
    const after = { name: name ?? before.name, approvals_required: required }
    await updateApprovalRule(tx, before.id, after)
    await replaceNamed(tx, before.id, named)
    await note(tx, changer, row, `changed ${described(after)}`)
    return before.id
  })
}

/** The rule of the project that it replaced holds again. Throws as `createMergeRequestRule`. */
export async function deleteMergeRequestRule(
  database: Database,
  changer: Changer,
  { merge_request_iid, approval_rule_id }: { merge_request_iid: number; approval_rule_id: number },
): Promise<void> {
  await changeRules(database, changer, merge_request_iid, async (tx, row) => {
    const rule = await requireMergeRequestRule(tx, row, approval_rule_id)
    await deleteApprovalRule(tx, rule.id)
    await note(tx, changer, row, `removed ${described(rule)}`)
  })
}

async function requireMergeRequestRule(
  database: Database,
  row: Pick<MergeRequestRow, 'id' | 'project_id'>,
  id: number,
): Promise<ApprovalRule> {
  const rule = await findApprovalRule(database, { projectId: row.project_id, mergeRequestId: row.id }, id)
  if (!rule) throw notFound()
  return rule
}

/** Locks the merge request, and lets a merge that waits try again afterwards. */
function changeRules<T>(
  database: Database,
  { project }: Changer,
  iid: number,
  change: (tx: Transaction, row: MergeRequestRow) => Promise<T>,
): Promise<T> {
  return savingRule(() =>
    inTransaction(database, async (tx) => {
      const row = await lockTheMergeRequest(tx, { project }, iid)
      if (project.disable_overriding_approvers_per_merge_request)
        throw apiError('approval_rules_not_overridable')
      const result = await change(tx, row)
      if (row.merge_when_pipeline_succeeds && row.state === 'opened') {
        await requestTask(tx, row, 'merge', row.merge_user_id ?? row.author_id)
      }
      return result
    }),
  )
}

/** Whom a rule names is not noted: not everybody who reads the notes may see its groups. */
function described({ name, approvals_required: count }: Pick<ApprovalRule, 'name' | 'approvals_required'>) {
  return `approval rule ${inBold(name)} (${count === 1 ? '1 approval' : `${count} approvals`})`
}

function note(tx: Transaction, { viewer }: Changer, row: MergeRequestRow, body: string): Promise<void> {
  const owner = { column: 'merge_request_id', id: row.id } as const
  const on = { owner, projectId: row.project_id, userId: viewer.id }
  return addSystemNotes(tx, on, [{ action: 'approvals', body }])
}

/** Throws 400 if the rule of the project requires more approvals. */
function checkNumber(project: Project, source: ApprovalRule | undefined, required: number): void {
  const least = source ? numberOf(project, source) : 0
  if (required >= least) return
  throw invalidRecord({
    approvals_required: [`must be at least ${least}, as the rule of the project requires`],
  })
}

/** Number of approvals that a rule of the project requires. */
export function numberOf(
  { approvals_before_merge }: Pick<Project, 'approvals_before_merge'>,
  { rule_type, approvals_required }: Pick<ApprovalRule, 'rule_type' | 'approvals_required'>,
): number {
  return rule_type === 'any_approver' ? approvals_before_merge : approvals_required
}
