import type { Database } from '../../database/connect.js'
import { containsText } from '../../database/text.js'
import type { Transaction } from '../../database/transaction.js'
import type { Paging } from '../../http/page.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'
import type {
  ProtectedEnvironmentEntryRow,
  ProtectedEnvironmentRow,
} from '../engine/deployments/protection/find-protections.js'

/** A project or a group. */
export interface ProtectionOwner {
  kind: 'project' | 'group'
  id: number
}

export type NewEntry = Omit<ProtectedEnvironmentEntryRow, 'id' | 'protected_environment_id'>

export function listProtectedEnvironments(
  database: Database,
  owner: ProtectionOwner,
  search: string | undefined,
  paging: Paging,
): Promise<Rows<ProtectedEnvironmentRow>> {
  let rules = rulesOf(database, owner)
  if (search) rules = rules.where(({ ref }) => containsText(ref('name'), search))
  const order = { table: 'protected_environment', column: 'name', direction: 'asc' } as const
  return listRows(database, rules, paging, order)
}

export function findProtectedEnvironment(
  database: Database,
  owner: ProtectionOwner,
  name: string,
): Promise<ProtectedEnvironmentRow | undefined> {
  return rulesOf(database, owner).selectAll().where('name', '=', name).executeTakeFirst()
}

/** Undefined if the environment is already protected. */
export function insertProtectedEnvironment(
  tx: Transaction,
  owner: ProtectionOwner,
  values: { name: string; required_approval_count: number },
): Promise<ProtectedEnvironmentRow | undefined> {
  return tx
    .insertInto('protected_environment')
    .values({
      ...values,
      project_id: owner.kind === 'project' ? owner.id : null,
      group_id: owner.kind === 'group' ? owner.id : null,
      created_at: Date.now(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function setRequiredApprovals(tx: Transaction, id: number, count: number): Promise<void> {
  await tx
    .updateTable('protected_environment')
    .set({ required_approval_count: count })
    .where('id', '=', id)
    .execute()
}

/** Returns whether it existed. */
export async function deleteProtectedEnvironment(database: Database, id: number): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('protected_environment')
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export async function insertEntries(tx: Transaction, ruleId: number, entries: NewEntry[]): Promise<void> {
  if (entries.length === 0) return
  await tx
    .insertInto('protected_environment_entry')
    .values(entries.map((entry) => ({ ...entry, protected_environment_id: ruleId })))
    .execute()
}

export async function updateEntry(tx: Transaction, id: number, changes: Partial<NewEntry>): Promise<void> {
  if (Object.keys(changes).length === 0) return
  await tx.updateTable('protected_environment_entry').set(changes).where('id', '=', id).execute()
}

export async function deleteEntries(tx: Transaction, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  await tx.deleteFrom('protected_environment_entry').where('id', 'in', ids).execute()
}

export function rulesOf(database: Database, { kind, id }: ProtectionOwner) {
  return database
    .selectFrom('protected_environment')
    .where(kind === 'project' ? 'project_id' : 'group_id', '=', id)
}
