import type { Transaction } from '../../database/transaction.js'
import type { EpicRow } from '../stores/epic-store.js'
import { titleNotes } from './change-notes.js'
import { addSystemNotes, type SystemNote } from './system-notes.js'

/** Records what a change of an epic has changed. */
export async function addEpicChangeNotes(
  tx: Transaction,
  userId: number,
  was: EpicRow,
  is: EpicRow,
): Promise<void> {
  await addNotes(tx, userId, is, [
    ...titleNotes(was, is),
    ...dateNotes('start date', was.start_date, is.start_date),
    ...dateNotes('due date', was.due_date, is.due_date),
    ...(was.state === is.state
      ? []
      : [{ action: is.state, body: is.state === 'closed' ? 'closed' : 'reopened' }]),
  ])
}

function dateNotes(what: string, was: string | null, is: string | null): SystemNote[] {
  if (was === is) return []
  const body = is === null ? `removed ${what} ${was}` : `changed ${what} to ${is}`
  return [{ action: what.replace(' ', '_'), body }]
}

/**
 * Records that an epic has become a child of another one, or is no longer. Those who read one of them might not see the other
 * if that is in another group, so it is then not named.
 */
export async function addChildNotes(
  tx: Transaction,
  userId: number,
  { parent, child }: { parent: EpicRow; child: EpicRow },
  change: 'added' | 'removed',
): Promise<void> {
  const nameOf = ({ iid }: EpicRow) => (parent.group_id === child.group_id ? ` &${iid}` : '')
  await addNotes(tx, userId, parent, [{ action: 'relate', body: `${change} child epic${nameOf(child)}` }])
  await addNotes(tx, userId, child, [{ action: 'relate', body: `${change} parent epic${nameOf(parent)}` }])
}

function addNotes(
  tx: Transaction,
  userId: number,
  { id }: EpicRow,
  notes: readonly SystemNote[],
): Promise<void> {
  return addSystemNotes(tx, { owner: { column: 'epic_id', id }, projectId: null, userId }, notes)
}
