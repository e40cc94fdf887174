import type { Database } from '../../database/connect.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { isUniqueViolation } from '../../database/unique-violation.js'
import { type ApiError, apiError, invalidRecord, notFound } from '../../http/errors.js'
import {
  findLabel,
  insertLabel,
  isNameTaken,
  type LabelKey,
  type LabelOwner,
  type LabelRow,
  type LabelSearch,
  MAX_NAME_LENGTH,
  setPriority,
  updateLabel,
} from '../stores/label-store.js'
import { storedColor } from './label-color.js'
import type { CreateLabel, LabelChanges } from './schema.js'

/** Throws 404. */
export async function requireLabel(
  database: Database,
  owner: LabelOwner,
  key: LabelKey,
  where: LabelSearch = {},
): Promise<LabelRow> {
  const row = await findLabel(database, owner, key, where)
  if (!row) throw notFound('Label')
  return row
}

/** Throws 400 for an invalid name or color, and 409 if the owner or a group above it has a label with the name. */
export function createLabel(
  database: Database,
  owner: LabelOwner,
  { name, color, description = null, priority = null }: CreateLabel & Pick<LabelChanges, 'priority'>,
): Promise<LabelRow> {
  const values = { ...checked({ name: name.trim(), color }), description }
  return inTransaction(database, async (tx) => {
    const row = (await isNameTaken(tx, owner, values.name)) ? undefined : await insertLabel(tx, owner, values)
    if (!row) throw apiError('label_exists')
    await prioritize(tx, owner, row, priority)
    return row
  })
}

/**
 * Changes a label of the owner itself; of a label of a group above a project, only the priority in the project.
 * Throws 404 for an unknown label, and 400 for an invalid or used name and for an invalid color.
 */
export async function editLabel(
  database: Database,
  owner: LabelOwner,
  key: LabelKey,
  changed: LabelChanges,
): Promise<LabelRow> {
  try {
    return await inTransaction(database, (tx) => change(tx, owner, key, changed))
  } catch (error) {
    // Another request has just taken the name.
    if (isUniqueViolation(error)) throw nameTaken()
    throw error
  }
}

async function change(
  tx: Transaction,
  owner: LabelOwner,
  key: LabelKey,
  { new_name, color, description, priority }: LabelChanges,
): Promise<LabelRow> {
  const isOfLabel = [new_name, color, description].some((value) => value !== undefined)
  const isOnlyPriority = !isOfLabel && priority !== undefined && 'project_id' in owner
  const before = await requireLabel(
    tx,
    owner,
    key,
    isOnlyPriority ? { ancestorsFor: { viewer: undefined } } : {},
  )
  await prioritize(tx, owner, before, priority)
  if (!isOfLabel) return before
  const name = new_name?.trim() ?? before.name
  const values = checked({ name, color: color ?? before.color })
  if (await isNameTaken(tx, owner, name, before.id)) throw nameTaken()
  const row = await updateLabel(tx, before.id, {
    ...values,
    ...(description !== undefined && { description }),
  })
  if (!row) throw notFound('Label')
  return row
}

function nameTaken(): ApiError {
  return invalidRecord({ title: ['has already been taken'] })
}

async function prioritize(
  tx: Transaction,
  owner: LabelOwner,
  { id }: LabelRow,
  priority: number | null | undefined,
): Promise<void> {
  if ('project_id' in owner && priority !== undefined) await setPriority(tx, owner.project_id, id, priority)
}

function checked({ name, color }: Pick<LabelRow, 'name' | 'color'>): Pick<LabelRow, 'name' | 'color'> {
  const stored = storedColor(color)
  const ofName = problemsOfName(name)
  if (stored === undefined || ofName.length > 0) {
    throw invalidRecord({
      ...(ofName.length > 0 && { title: ofName }),
      ...(stored === undefined && { color: ['must be a valid color code'] }),
    })
  }
  return { name, color: stored }
}

/** Lists of labels are separated by commas, so that a name must not contain one. */
function problemsOfName(name: string): string[] {
  return [
    ...(name === '' ? ["can't be blank"] : []),
    ...(name.includes(',') ? ['is invalid'] : []),
    ...(name.length > MAX_NAME_LENGTH ? [`is too long (maximum is ${MAX_NAME_LENGTH} characters)`] : []),
  ]
}
