import type { Insertable, Selectable } from 'kysely'

import { groupBy } from '../../../lib/group-by.js'
import type { Database } from '../../database/connect.js'
import type { SuggestionTable } from '../../database/tables/suggestions.js'
import type { Transaction } from '../../database/transaction.js'

export type SuggestionRow = Selectable<SuggestionTable>
export type NewSuggestion = Omit<Insertable<SuggestionTable>, 'id' | 'note_id' | 'commit_sha'>

/** Suggestions by the IDs of their notes, in their order. */
export async function suggestionsOf(
  database: Database,
  noteIds: readonly number[],
): Promise<Map<number, SuggestionRow[]>> {
  if (noteIds.length === 0) return new Map()
  const rows = await database
    .selectFrom('suggestion')
    .selectAll()
    .where('note_id', 'in', noteIds)
    .orderBy('id')
    .execute()
  return groupBy(rows, ({ note_id: id }) => id)
}

export function findSuggestions(database: Database, ids: readonly number[]): Promise<SuggestionRow[]> {
  return database.selectFrom('suggestion').selectAll().where('id', 'in', ids).orderBy('id').execute()
}

/** Replaces the suggestions of a note; those that were applied stay as they are, and nothing is added then. */
export async function setSuggestions(
  tx: Transaction,
  noteId: number,
  suggestions: readonly NewSuggestion[],
): Promise<void> {
  const known = (await suggestionsOf(tx, [noteId])).get(noteId) ?? []
  if (known.some(({ commit_sha }) => commit_sha !== null)) return
  await tx.deleteFrom('suggestion').where('note_id', '=', noteId).execute()
  if (suggestions.length === 0) return
  const rows = suggestions.map((suggestion) => ({ ...suggestion, note_id: noteId, commit_sha: null }))
  await tx.insertInto('suggestion').values(rows).execute()
}

/** Adds suggestions to a new note, also those that were applied. */
export async function insertSuggestions(
  tx: Transaction,
  noteId: number,
  suggestions: readonly Omit<Insertable<SuggestionTable>, 'id' | 'note_id'>[],
): Promise<void> {
  if (suggestions.length === 0) return
  const rows = suggestions.map((suggestion) => ({ ...suggestion, note_id: noteId }))
  await tx.insertInto('suggestion').values(rows).execute()
}

export async function markApplied(tx: Transaction, ids: readonly number[], commit: string): Promise<void> {
  await tx.updateTable('suggestion').set({ commit_sha: commit }).where('id', 'in', ids).execute()
}
