import type { Database } from '../../database/connect.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { apiError, notFound } from '../../http/errors.js'
import {
  entriesOf,
  type ProtectedEnvironmentEntryRow,
  type ProtectedEnvironmentRow,
} from '../engine/deployments/protection/find-protections.js'
import { checkedEntry, unprocessable } from './checked-entries.js'
import type { ChangeProtectedEnvironment, EntryParameters } from './schema.js'
import {
  deleteEntries,
  deleteProtectedEnvironment,
  findProtectedEnvironment,
  insertEntries,
  insertProtectedEnvironment,
  type NewEntry,
  type ProtectionOwner,
  setRequiredApprovals,
  updateEntry,
} from './store.js'

interface NewProtection {
  name: string
  deploy_access_levels: EntryParameters[]
  approval_rules?: EntryParameters[] | undefined
  required_approval_count?: number | undefined
}

/** Throws 404. */
export async function requireProtectedEnvironment(
  database: Database,
  owner: ProtectionOwner,
  name: string,
): Promise<ProtectedEnvironmentRow> {
  const rule = await findProtectedEnvironment(database, owner, name)
  if (!rule) throw notFound()
  return rule
}

/** Throws 409 if the environment is already protected, and 422 for invalid entries. */
export async function protectEnvironment(
  database: Database,
  owner: ProtectionOwner,
  { name, deploy_access_levels, approval_rules = [], required_approval_count = 0 }: NewProtection,
): Promise<ProtectedEnvironmentRow> {
  const deployers = await allChecked(database, owner, 'deploy', deploy_access_levels)
  const approvers = await allChecked(database, owner, 'approve', approval_rules)
  if (deployers.length === 0) throw noDeployers()
  return inTransaction(database, async (tx) => {
    const rule = await insertProtectedEnvironment(tx, owner, { name, required_approval_count })
    if (!rule) throw apiError('protected_environment_exists', { name })
    await insertEntries(tx, rule.id, [...deployers, ...approvers])
    return rule
  })
}

/**
 * Throws 404 if the environment is not protected. Throws 422 for invalid entries and when no deployer would
 * remain.
 */
export async function changeProtectedEnvironment(
  database: Database,
  owner: ProtectionOwner,
  name: string,
  params: ChangeProtectedEnvironment,
): Promise<ProtectedEnvironmentRow> {
  const { deploy_access_levels = [], approval_rules = [], required_approval_count } = params
  const rule = await requireProtectedEnvironment(database, owner, name)
  const known = await entriesOf(database, [rule.id])
  const changes = [
    ...(await changesOf(database, owner, 'deploy', known, deploy_access_levels)),
    ...(await changesOf(database, owner, 'approve', known, approval_rules)),
  ]
  await inTransaction(database, async (tx) => {
    for (const change of changes) await change(tx, rule.id)
    if (required_approval_count !== undefined)
      await setRequiredApprovals(tx, rule.id, required_approval_count)
    if (!(await entriesOf(tx, [rule.id])).some(({ kind }) => kind === 'deploy')) throw noDeployers()
  })
  return requireProtectedEnvironment(database, owner, name)
}

/** Throws 404. */
export async function unprotectEnvironment(
  database: Database,
  owner: ProtectionOwner,
  name: string,
): Promise<void> {
  const { id } = await requireProtectedEnvironment(database, owner, name)
  if (!(await deleteProtectedEnvironment(database, id))) throw notFound()
}

type EntryChange = (tx: Transaction, ruleId: number) => Promise<void>

/** The changes of a request to the entries of one kind. All are checked before any is written. */
async function changesOf(
  database: Database,
  owner: ProtectionOwner,
  kind: NewEntry['kind'],
  known: ProtectedEnvironmentEntryRow[],
  entries: EntryParameters[],
): Promise<EntryChange[]> {
  const changes: EntryChange[] = []
  for (const { id, _destroy = false, ...given } of entries) {
    if (id === undefined) {
      if (_destroy) throw unprocessable('Removing an entry requires its id')
      const entry = await checkedEntry(database, owner, kind, given)
      changes.push((tx, ruleId) => insertEntries(tx, ruleId, [entry]))
      continue
    }
    const current = known.find((entry) => entry.id === id && entry.kind === kind)
    if (!current) throw unprocessable(`There is no entry ${id}`)
    if (_destroy) {
      changes.push((tx) => deleteEntries(tx, [id]))
      continue
    }
    const changed = await checkedEntry(database, owner, kind, merged(current, given))
    changes.push((tx) => updateEntry(tx, id, changed))
  }
  return changes
}

/** A given role, user or group replaces the one in the entry. */
function merged(
  { access_level, user_id, group_id, ...current }: ProtectedEnvironmentEntryRow,
  given: EntryParameters,
): EntryParameters {
  const namesAnother = [given.access_level, given.user_id, given.group_id].some((each) => each !== undefined)
  return {
    group_inheritance_type: current.group_inheritance_type,
    required_approvals: current.required_approvals,
    ...(!namesAnother && {
      ...(access_level !== null && { access_level }),
      ...(user_id !== null && { user_id }),
      ...(group_id !== null && { group_id }),
    }),
    ...given,
  }
}

async function allChecked(
  database: Database,
  owner: ProtectionOwner,
  kind: NewEntry['kind'],
  entries: EntryParameters[],
): Promise<NewEntry[]> {
  const checked: NewEntry[] = []
  for (const entry of entries) checked.push(await checkedEntry(database, owner, kind, entry))
  return checked
}

function noDeployers(): Error {
  return unprocessable('deploy_access_levels needs at least one entry')
}
