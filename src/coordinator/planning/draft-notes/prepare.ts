import type { NotePosition } from '../../database/tables/notes.js'
import { findThread } from '../../hosting/note-store.js'
import type { Reading } from '../../hosting/repositories/browse/reading.js'
import { apiError } from '../../http/errors.js'
import { type Command, MAX_COMMANDS, readCommands } from '../commands.js'
import { positionsIn } from '../discussions/follow-versions.js'
import { type Noteable, noteFilterOf } from '../notes/noteable.js'
import { latestVersion, type VersionRow } from '../stores/merge-request-store.js'
import type { NewSuggestion } from '../suggestions/suggestion-store.js'
import { suggestionsIn } from '../suggestions/suggestions-in.js'
import type { DraftDeps } from './drafts.js'
import type { DraftRow } from './store.js'

/** A draft with what is read from git before the transaction that publishes it. */
export interface PreparedDraft {
  row: DraftRow
  /** Without quick actions; empty if there is nothing else. */
  text: string
  commands: Command[]
  suggestions: NewSuggestion[]
  /** Where its line is in the latest version; `changed` if it is not there any more. Absent if it is on that version. */
  latest?: NotePosition | 'changed'
}

/** Drafts, and the version of the merge request for which they are prepared. */
export interface Prepared {
  drafts: PreparedDraft[]
  version: VersionRow | undefined
}

/** Throws 400 if the drafts have too many quick actions to be applied by one request. */
export async function prepareDrafts(
  deps: DraftDeps,
  reading: Reading,
  { on, mergeRequestId, projectId }: { on: Noteable; mergeRequestId: number; projectId: number },
  rows: readonly DraftRow[],
): Promise<Prepared> {
  const texts = rows.map((row) => ({ row, ...readCommands(row.note) }))
  const count = texts.reduce((sum, { commands }) => sum + commands.length, 0)
  if (count > MAX_COMMANDS) throw apiError('too_many_commands', { max: MAX_COMMANDS, count })
  const version = await latestVersion(deps.database, mergeRequestId)
  const positionIn = version && positionsIn(reading, version)
  const drafts: PreparedDraft[] = []
  for (const draft of texts) {
    const { position } = draft.row
    const suggestions = await suggested(deps, on, projectId, draft)
    const isOutdated = position !== null && version !== undefined && position.head_sha !== version.head_sha
    const latest = isOutdated ? { latest: (await positionIn?.(position)) ?? ('changed' as const) } : {}
    drafts.push({ ...draft, suggestions, ...latest })
  }
  return { drafts, version }
}

/** What a draft suggests for the lines on which it, or its discussion, is. */
async function suggested(
  { database, repositories }: DraftDeps,
  on: Noteable,
  projectId: number,
  { row, text }: { row: DraftRow; text: string },
): Promise<NewSuggestion[]> {
  if (!text.includes('```suggestion')) return []
  const { discussion_id: id } = row
  const [first] = id === null ? [row] : await findThread(database, on.owner, id, noteFilterOf(on))
  return suggestionsIn(repositories, projectId, first.position, text)
}
