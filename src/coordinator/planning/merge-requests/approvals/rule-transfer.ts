import { Type } from 'typebox'

import { streamedChunks } from '../../../../lib/chunks.js'
import type { Database } from '../../../database/connect.js'
import { inPages } from '../../../database/in-pages.js'
import { inTransaction } from '../../../database/transaction.js'
import { type TransferPart, transferPart } from '../../../http/archive-part.js'
import { checkRoom } from '../../../http/check-room.js'
import { invalidRecord } from '../../../http/errors.js'
import { described, optional } from '../../../http/parameters/described.js'
import { Nullable } from '../../../http/parameters/types.js'
import {
  approvalRuleRows,
  approvalRulesOf,
  insertApprovalRule,
  replaceNamed,
} from '../../stores/approval-rule-store.js'
import { findMergeRequest } from '../../stores/merge-request-store.js'
import { BranchPatterns, namedBranches } from '../../transfer/named-branches.js'
import { MAX_IID } from '../../transfer/transferred-fields.js'
import { checkRule, createProjectRule, MAX_RULES, savingRule } from './project-rules.js'
import { NewProjectRule } from './rule-schema.js'
import { namedInRecord, peopleInRules, transferredPeople } from './transferred-rule.js'

const { name, approvals_required, rule_type, applies_to_all_protected_branches } = NewProjectRule.properties
const Transferred = Type.Object({
  name,
  approvals_required,
  rule_type,
  applies_to_all_protected_branches,
  ...transferredPeople,
  protected_branches: BranchPatterns,
})

/**
 * Export and import of the approval rules of a project. A rule loses its users and groups unless an administrator imports. One
 * that nobody could fulfil is refused.
 */
export function approvalRulePart(database: Database): TransferPart {
  return transferPart({
    name: 'approval_rules',
    schema: Transferred,
    read: async function* (project) {
      const rules = await approvalRulesOf(database, { projectIds: [project.id] })
      const people = await peopleInRules(database, project, rules)
      for (const rule of rules) {
        yield {
          name: rule.name,
          rule_type: rule.rule_type,
          approvals_required:
            rule.rule_type === 'any_approver' ? project.approvals_before_merge : rule.approvals_required,
          applies_to_all_protected_branches: rule.applies_to_all_protected_branches,
          usernames: [],
          ...people.get(rule.id),
          protected_branches: await patternsOf(database, rule.branchIds),
        }
      }
    },
    identityOf: (rule) => rule.name,
    write: async (target, { usernames, groups, protected_branches, ...rule }) => {
      const { project, importer } = target
      const { userIds, groupIds } = await inTransaction(database, (tx) =>
        namedInRecord(tx, target, { usernames, groups }),
      )
      await createProjectRule(
        database,
        { project, viewer: importer },
        {
          ...rule,
          user_ids: userIds,
          group_ids: groupIds,
          protected_branch_ids: await namedBranches(database, project.id, protected_branches),
        },
      )
    },
  })
}

const TransferredOfRequest = Type.Object({
  merge_request: described(Type.Integer({ minimum: 1, maximum: MAX_IID }), 'Number of the merge request.'),
  replaces: optional(Nullable(Type.String()), 'Name of the rule of the project that it replaces.'),
  name,
  approvals_required,
  rule_type,
  ...transferredPeople,
})

/** Number of merge requests whose rules are read at once. */
const CHUNK = 100

/**
 * Export and import of the rules of single merge requests, as `approvalRulePart`. One that replaces a rule which the project
 * does not have is an additional one.
 */
export function mergeRequestRulePart(database: Database): TransferPart {
  return transferPart({
    name: 'merge_request_approval_rules',
    schema: TransferredOfRequest,
    read: async function* (project) {
      const ofProject = await approvalRulesOf(database, { projectIds: [project.id] })
      const names = new Map(ofProject.map((rule) => [rule.id, rule.name]))
      const requests = inPages(
        database.selectFrom('merge_request').select(['id', 'iid']).where('project_id', '=', project.id),
        'merge_request',
      )
      for await (const some of streamedChunks(requests, CHUNK)) {
        const iids = new Map(some.map(({ id, iid }) => [id, iid]))
        const rules = await approvalRulesOf(database, { mergeRequestIds: [...iids.keys()] })
        const people = await peopleInRules(database, project, rules)
        for (const rule of rules) {
          yield {
            merge_request: iids.get(rule.merge_request_id ?? 0) ?? 0,
            replaces: names.get(rule.source_rule_id ?? 0) ?? null,
            name: rule.name,
            rule_type: rule.rule_type,
            approvals_required: rule.approvals_required,
            usernames: [],
            ...people.get(rule.id),
          }
        }
      }
    },
    identityOf: (rule) => [rule.merge_request, rule.name],
    write: (target, record) => {
      const { project } = target
      const { merge_request: iid, replaces, name, approvals_required, rule_type = 'regular' } = record
      return savingRule(() =>
        inTransaction(database, async (tx) => {
          const request = await findMergeRequest(tx, project.id, iid)
          if (!request) throw invalidRecord({ merge_request: [`${iid} does not exist`] })
          await checkRoom(approvalRuleRows(tx, project.id, request.id), {
            most: MAX_RULES,
            what: 'approval rules',
          })
          const named = await namedInRecord(tx, target, record)
          const rule = { name, rule_type, approvals_required }
          checkRule({ ...rule, applies_to_all_protected_branches: false }, { ...named, branchIds: [] })
          const source = await approvalRuleRows(tx, project.id, null)
            .select('id')
            .where('name', '=', replaces ?? '')
            .where('rule_type', '=', rule_type)
            .executeTakeFirst()
          const { id } = await insertApprovalRule(tx, {
            ...rule,
            project_id: project.id,
            merge_request_id: request.id,
            source_rule_id: source?.id ?? null,
          })
          await replaceNamed(tx, id, named)
        }),
      )
    },
  })
}

async function patternsOf(database: Database, ids: readonly number[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await database
    .selectFrom('protected_ref')
    .select('name')
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
  return rows.map((row) => row.name)
}
