import type { Database } from '../../database/connect.js'
import type { Transaction } from '../../database/transaction.js'
import type { Awarded } from '../../hosting/award-emoji-store.js'
import type { NoteableFinder } from '../notes/find-noteable.js'
import { requireNote } from '../notes/note-changes.js'
import type { Locked } from './awards.js'

/** A note that the caller sees. Throws 404 for an unknown one. */
export async function awardedNote(
  database: Database,
  { find }: NoteableFinder,
  id: number,
): Promise<Awarded> {
  return { table: 'note', id: (await requireNote(database, await find(database), id)).id }
}

/** As `awardedNote`, for a change: those who may comment may give an emoji. */
export async function lockedNote(tx: Transaction, { lock }: NoteableFinder, id: number): Promise<Locked> {
  const on = await lock(tx)
  const note = await requireNote(tx, on, id)
  return {
    awarded: { table: 'note', id: note.id },
    isAllowed: on.rights.comment && !note.system,
    hooked: on.type === 'Epic' || on.type === 'Commit' ? undefined : { projectId: on.project.id, on, note },
  }
}
