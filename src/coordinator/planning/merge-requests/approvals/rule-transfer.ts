import { Type } from 'typebox'

import type { Database } from '../../../database/connect.js'
import { inTransaction } from '../../../database/transaction.js'
import { type TransferPart, transferPart } from '../../../http/archive-part.js'
import { approvalRulesOf } from '../../stores/approval-rule-store.js'
import { BranchPatterns, namedBranches } from '../../transfer/named-branches.js'
import { peopleNamed, Username } from '../../transfer/transferred-people.js'
import { createProjectRule } from './project-rules.js'
import { NewProjectRule } from './rule-schema.js'

const { name, approvals_required, rule_type, applies_to_all_protected_branches } = NewProjectRule.properties
const Transferred = Type.Object({
  name,
  approvals_required,
  rule_type,
  applies_to_all_protected_branches,
  usernames: Type.Array(Username, { maxItems: 1000 }),
  protected_branches: BranchPatterns,
})

/**
 * Export and import of the approval rules of a project; those of its merge requests stay. A rule loses its groups, which are
 * others elsewhere, and its users unless an administrator imports. One that nobody could fulfil is refused.
 */
export function approvalRulePart(database: Database): TransferPart {
  return transferPart({
    name: 'approval_rules',
    schema: Transferred,
    read: async function* ({ id, approvals_before_merge }) {
      for (const rule of await approvalRulesOf(database, { projectIds: [id] })) {
        yield {
          name: rule.name,
          rule_type: rule.rule_type,
          approvals_required:
            rule.rule_type === 'any_approver' ? approvals_before_merge : rule.approvals_required,
          applies_to_all_protected_branches: rule.applies_to_all_protected_branches,
          usernames: await usernamesOf(database, rule.userIds),
          protected_branches: await patternsOf(database, rule.branchIds),
        }
      }
    },
    identityOf: (rule) => rule.name,
    write: async (target, { usernames, protected_branches, ...rule }) => {
      const { project, importer } = target
      const people = await inTransaction(database, (tx) => peopleNamed(tx, target, usernames))
      await createProjectRule(
        database,
        { project, viewer: importer },
        {
          ...rule,
          user_ids: [...new Set(people.values())],
          protected_branch_ids: await namedBranches(database, project.id, protected_branches),
        },
      )
    },
  })
}

async function usernamesOf(database: Database, ids: readonly number[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await database
    .selectFrom('user')
    .select('username')
    .where('id', 'in', ids)
    .orderBy('username')
    .execute()
  return rows.map(({ username }) => username)
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
