import type { Database } from '../../database/connect.js'
import { anyContainsText } from '../../database/text.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { invalidRecord, notFound } from '../../http/errors.js'
import type { Paging } from '../../http/page.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'
import { type EpicRow, findEpic, insertEpic, updateEpic } from '../stores/epic-store.js'
import { addEpicChangeNotes } from '../system-notes/epic-notes.js'
import type { CreateEpic, EditEpic, ListEpics } from './schema.js'

/** One page of the epics of a group. */
export function listEpics(
  database: Database,
  groupId: number,
  filter: ListEpics,
  paging: Paging,
): Promise<Rows<EpicRow>> {
  const { iids = [], state = 'all', author_id, search = '', order_by = 'created_at', sort = 'desc' } = filter
  const times = [
    ['created_at', '>=', filter.created_after],
    ['created_at', '<=', filter.created_before],
    ['updated_at', '>=', filter.updated_after],
    ['updated_at', '<=', filter.updated_before],
  ] as const
  let matching = database.selectFrom('epic').where('epic.group_id', '=', groupId)
  for (const [column, operator, time] of times) {
    if (time !== undefined) matching = matching.where(`epic.${column}`, operator, Date.parse(time))
  }
  matching = matching
    .$if(iids.length > 0, (all) => all.where('epic.iid', 'in', iids))
    .$if(state !== 'all', (all) => all.where('epic.state', '=', state === 'closed' ? state : 'opened'))
    .$if(author_id !== undefined, (all) => all.where('epic.author_id', '=', author_id ?? 0))
    .$if(search !== '', (all) =>
      all.where(({ ref, fn, val }) =>
        anyContainsText([ref('epic.title'), fn.coalesce('epic.description', val(''))], search),
      ),
    )
  return listRows(database, matching, paging, { table: 'epic', column: order_by, direction: sort })
}

/** Throws 404 for an unknown epic. */
export async function requireEpic(database: Database, groupId: number, iid: number): Promise<EpicRow> {
  const row = await findEpic(database, groupId, iid)
  if (!row) throw notFound()
  return row
}

/** Throws 400 for an empty title, and for a due date before the start date. */
export function createEpic(
  database: Database,
  by: { groupId: number; userId: number },
  params: CreateEpic,
): Promise<EpicRow> {
  return inTransaction(database, (tx) => createEpicIn(tx, by, params))
}

/** As `createEpic`, in a transaction. */
export function createEpicIn(
  tx: Transaction,
  by: { groupId: number; userId: number },
  { title, description = null, start_date = null, due_date = null }: CreateEpic,
): Promise<EpicRow> {
  const now = Date.now()
  const values = { title: title.trim(), description, start_date, due_date }
  check(values)
  const who = { group_id: by.groupId, author_id: by.userId }
  return insertEpic(tx, { ...values, ...who, created_at: now, updated_at: now })
}

/** Throws 404 for an unknown epic, and 400 as for a new one. */
export function editEpic(
  database: Database,
  by: { groupId: number; userId: number },
  { epic_iid, state_event, ...changes }: EditEpic,
): Promise<EpicRow> {
  return inTransaction(database, async (tx) => {
    const before = await requireEpic(tx, by.groupId, epic_iid)
    const after = { ...before, ...changes, title: changes.title?.trim() ?? before.title }
    check(after)
    const { title, description, start_date, due_date } = after
    const now = Date.now()
    const row = await updateEpic(tx, before.id, {
      title,
      description,
      start_date,
      due_date,
      updated_at: now,
      ...(state_event === 'close' && before.state === 'opened' && { state: 'closed', closed_at: now }),
      ...(state_event === 'reopen' && { state: 'opened', closed_at: null }),
    })
    if (!row) throw notFound()
    await addEpicChangeNotes(tx, by.userId, before, row)
    return row
  })
}

function check({ title, start_date, due_date }: Pick<EpicRow, 'title' | 'start_date' | 'due_date'>): void {
  if (title === '') throw invalidRecord({ title: ["can't be blank"] })
  if (start_date !== null && due_date !== null && due_date < start_date) {
    throw invalidRecord({
      start_date: ['must be less than or equal to due date'],
      due_date: ['must be greater than or equal to start date'],
    })
  }
}
