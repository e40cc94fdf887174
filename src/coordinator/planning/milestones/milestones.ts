import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { deleteDependents } from '../../database/delete-in-steps.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import {
  deleteMilestoneRow,
  findMilestone,
  insertMilestone,
  isTitleTaken,
  lockTitles,
  type MilestoneOwner,
  type MilestoneRow,
  type NewMilestoneRow,
  updateMilestone,
} from '../../hosting/milestone-store.js'
import { apiError, notFound } from '../../http/errors.js'
import { recordOnTarget, type TargetAction } from '../../integrations/activity-events/record-activity.js'
import { emitMilestoneEvent } from '../../integrations/webhooks/outbox/emit-milestone-event.js'
import type { CreateMilestone, EditMilestone } from './schema.js'

export const TITLE_TAKEN = 'already being used for another group or project milestone.'

/** Throws 404 for an unknown milestone and for one of another owner. */
export async function requireMilestone(
  database: Database,
  owner: MilestoneOwner,
  id: number,
): Promise<MilestoneRow> {
  const row = await findMilestone(database, owner, id)
  if (!row) throw notFound()
  return row
}

/**
 * Throws 400 for an invalid title or date, with the messages of the record as one text (API, G4). `author`: whose
 * activity it is; by default nobody's.
 */
export function createMilestone(
  database: Database,
  owner: MilestoneOwner,
  params: CreateMilestone & Pick<Partial<MilestoneRow>, 'state'>,
  author?: User,
): Promise<MilestoneRow> {
  const { title, description = null, start_date = null, due_date = null, state } = params
  const values = { title: title.trim(), description, start_date, due_date, ...(state && { state }) }
  return inTransaction(database, async (tx) => {
    await lockTitles(tx, owner)
    refuse('create', await problemsOf(tx, owner, values))
    const row = await insertMilestone(tx, owner, values)
    if (author) await recordMilestone(tx, 'created', author, row)
    if (author) await emitMilestoneEvent(tx, { milestone: row, action: 'create' })
    return row
  })
}

/** Throws 404 for an unknown milestone, and 400 as for a new one. */
export function editMilestone(
  database: Database,
  owner: MilestoneOwner,
  { milestone_id, state_event, ...changes }: EditMilestone,
  author: User,
): Promise<MilestoneRow> {
  return inTransaction(database, async (tx) => {
    await lockTitles(tx, owner)
    const before = await requireMilestone(tx, owner, milestone_id)
    const title = changes.title?.trim() || before.title
    const after = { ...before, ...changes, title }
    refuse('update', await problemsOf(tx, owner, after, [before.id]))
    const { description, start_date, due_date } = after
    const state = stateAfter(before, state_event)
    const row = await updateMilestone(tx, before.id, { title, description, start_date, due_date, state })
    if (!row) throw notFound()
    if (state !== before.state) {
      await recordMilestone(tx, state === 'closed' ? 'closed' : 'reopened', author, row)
      await emitMilestoneEvent(tx, { milestone: row, action: state === 'closed' ? 'close' : 'reopen' })
    }
    return row
  })
}

/** Throws 404 for an unknown milestone. */
export async function deleteMilestone(
  database: Database,
  owner: MilestoneOwner,
  milestoneId: number,
): Promise<void> {
  const { id } = await requireMilestone(database, owner, milestoneId)
  await deleteDependents(database, 'milestone', id)
  await inTransaction(database, async (tx) => {
    const milestone = await requireMilestone(tx, owner, id)
    if (!(await deleteMilestoneRow(tx, id))) throw notFound()
    await emitMilestoneEvent(tx, { milestone, action: 'delete' })
  })
}

/** Records activity on a milestone of a project; groups have none. */
async function recordMilestone(
  tx: Transaction,
  action: TargetAction,
  { id: userId }: User,
  { id: milestone_id, project_id: projectId }: MilestoneRow,
): Promise<void> {
  if (projectId !== null) await recordOnTarget(tx, action, { projectId, userId, target: { milestone_id } })
}

/** An event that leads to the present state changes nothing. */
function stateAfter(before: MilestoneRow, event: EditMilestone['state_event']): MilestoneRow['state'] {
  if (event === undefined) return before.state
  return event === 'close' ? 'closed' : 'active'
}

type Problems = Record<string, string[]>

async function problemsOf(
  tx: Transaction,
  owner: MilestoneOwner,
  { title, start_date, due_date }: NewMilestoneRow,
  except: readonly number[] = [],
): Promise<Problems> {
  const isTaken = title !== '' && (await isTitleTaken(tx, owner, title, except))
  const ofTitle = [...(title === '' ? ["can't be blank"] : []), ...(isTaken ? [TITLE_TAKEN] : [])]
  const isLate = start_date !== null && due_date !== null && due_date <= start_date
  return {
    ...(ofTitle.length > 0 && { title: ofTitle }),
    ...(isLate && { due_date: ['must be greater than start date'] }),
  }
}

/** Clients parse this text, in which the record's messages have the form of a Ruby hash (API, G4). */
function refuse(verb: 'create' | 'update', problems: Problems): void {
  const fields = Object.entries(problems).map(([field, messages]) => `:${field}=>${JSON.stringify(messages)}`)
  if (fields.length === 0) return
  throw apiError('milestone_invalid', { verb, problems: fields.join(', ') })
}
