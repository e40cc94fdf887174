import { type Static, Type } from 'typebox'

import type { NotePosition } from '../../database/tables/notes.js'
import { described, flag } from '../../http/parameters/described.js'
import type { SuggestionRow } from './suggestion-store.js'

/** API, G2. */
export const Suggestion = Type.Object({
  id: described(Type.Integer(), 'ID of the suggestion.'),
  from_line: described(Type.Integer(), 'First line that it replaces.'),
  to_line: described(Type.Integer(), 'Last line that it replaces.'),
  appliable: flag('Whether it was not applied yet.'),
  applied: flag('Whether a commit has applied it.'),
  from_content: described(Type.String(), 'Lines that it replaces.'),
  to_content: described(Type.String(), 'Lines in their place; empty to remove them.'),
})
export type Suggestion = Static<typeof Suggestion>

/** `position`: that of the note. */
export function presentSuggestion(row: SuggestionRow, position: NotePosition | null): Suggestion {
  const line = position?.new_line ?? 0
  const isApplied = row.commit_sha !== null
  return {
    id: row.id,
    from_line: line - row.lines_above,
    to_line: line + row.lines_below,
    appliable: !isApplied,
    applied: isApplied,
    from_content: row.from_content,
    to_content: row.to_content,
  }
}
