import type { Project } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { apiError, notFound } from '../../http/errors.js'
import {
  findProtectedRef,
  insertProtectedRef,
  type ProtectedRef,
  type RefKind,
  updateProtectedRef,
} from '../protected-ref-store.js'
import { type AskedAccess, changeNamed, namedBy, roleOf } from './access-of-rule.js'
import type { ProtectBranch, ProtectTag } from './schema.js'

/** Throws 409 if the rule exists, and 422 for an invalid level, user or group. */
export async function protectBranch(
  database: Database,
  project: Project,
  params: ProtectBranch,
): Promise<ProtectedRef> {
  const [push, merge] = requestedBranchAccess(params)
  const values = {
    push_access_level: roleOf(push),
    merge_access_level: roleOf(merge),
    allow_force_push: params.allow_force_push ?? false,
    code_owner_approval_required: params.code_owner_approval_required ?? false,
  }
  const named = await namedBy(database, [push, merge])
  return inTransaction(database, async (tx) => {
    const rule = await insertRule(tx, project, 'branch', params.name, values)
    if (!rule) throw apiError('protected_branch_exists', { name: params.name })
    await changeNamed(tx, rule.id, [push, merge], named)
    return rule
  })
}

export async function changeProtectedBranch(
  database: Database,
  project: Project,
  params: ProtectBranch,
): Promise<ProtectedRef> {
  const [push, merge] = requestedBranchAccess(params)
  const rule = await existingRule(database, project, 'branch', params.name)
  const values = {
    push_access_level: roleOf(push, rule.push_access_level),
    merge_access_level: roleOf(merge, rule.merge_access_level),
    allow_force_push: params.allow_force_push ?? rule.allow_force_push,
    code_owner_approval_required: params.code_owner_approval_required ?? rule.code_owner_approval_required,
  }
  const named = await namedBy(database, [push, merge])
  return inTransaction(database, async (tx) => {
    await changeNamed(tx, rule.id, [push, merge], named)
    return updateProtectedRef(tx, rule.id, values)
  })
}

function requestedBranchAccess(params: ProtectBranch): [push: AskedAccess, merge: AskedAccess] {
  const { push_access_level, merge_access_level, allowed_to_push, allowed_to_merge } = params
  return [
    { action: 'push', level: push_access_level, allowed: allowed_to_push },
    { action: 'merge', level: merge_access_level, allowed: allowed_to_merge },
  ]
}

export async function protectTag(
  database: Database,
  project: Project,
  { name, create_access_level, allowed_to_create }: ProtectTag,
): Promise<ProtectedRef> {
  const create: AskedAccess = { action: 'push', level: create_access_level, allowed: allowed_to_create }
  const level = roleOf(create)
  const named = await namedBy(database, [create])
  return inTransaction(database, async (tx) => {
    const values = { push_access_level: level, merge_access_level: level, allow_force_push: false }
    const rule = await insertRule(tx, project, 'tag', name, values)
    if (!rule) throw apiError('protected_tag_exists', { name })
    await changeNamed(tx, rule.id, [create], named)
    return rule
  })
}

type RuleValues = Pick<ProtectedRef, 'push_access_level' | 'merge_access_level' | 'allow_force_push'> &
  Partial<Pick<ProtectedRef, 'code_owner_approval_required'>>

function insertRule(
  tx: Transaction,
  project: Project,
  kind: RefKind,
  name: string,
  values: RuleValues,
): Promise<ProtectedRef | undefined> {
  return insertProtectedRef(tx, { project_id: project.id, kind, name, ...values, created_at: Date.now() })
}

/** Throws 404. */
export async function existingRule(
  database: Database,
  project: Project,
  kind: RefKind,
  name: string,
): Promise<ProtectedRef> {
  const rule = await findProtectedRef(database, project.id, kind, name)
  if (!rule) throw notFound()
  return rule
}
