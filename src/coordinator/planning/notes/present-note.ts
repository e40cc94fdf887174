import { type Static, Type } from 'typebox'

import type { Database } from '../../database/connect.js'
import type { NoteRow } from '../../hosting/note-store.js'
import { notFound } from '../../http/errors.js'
import { described, flag } from '../../http/parameters/described.js'
import { Nullable, NullableText } from '../../http/parameters/types.js'
import { isoTime, isoTimeOrNull } from '../../http/presenters/present-time.js'
import { presentUser, PublicUser } from '../../http/presenters/present-user.js'
import { usersById } from '../../http/presenters/users-by-id.js'
import { presentSuggestion, Suggestion } from '../suggestions/present-suggestion.js'
import { suggestionsOf } from '../suggestions/suggestion-store.js'
import type { Noteable } from './noteable.js'
import { Position, presentPosition } from './present-position.js'

/** API, G1. */
export const Note = Type.Object({
  id: described(Type.Integer(), 'ID of the note.'),
  type: described(NullableText, 'Kind: `DiscussionNote`, `DiffNote`, or null for a comment of its own.'),
  body: described(Type.String(), 'Text in Markdown.'),
  attachment: described(NullableText, 'Always null.'),
  author: described(Nullable(PublicUser), 'Author.'),
  created_at: described(Type.String(), 'Time of creation.'),
  updated_at: described(Type.String(), 'Time of the last change.'),
  system: flag('Whether the coordinator wrote it to record a change.'),
  noteable_id: described(Nullable(Type.Integer()), 'ID of what it belongs to; null for a commit.'),
  noteable_type: described(
    Type.String(),
    'Kind of what it belongs to: `Issue`, `MergeRequest`, `Epic` or `Commit`.',
  ),
  noteable_iid: described(
    Nullable(Type.Integer()),
    'Number of what it belongs to, within its project or group; null for a commit.',
  ),
  commit_id: described(Type.Optional(Type.String()), 'ID of the commit; only for a note on one.'),
  project_id: described(Nullable(Type.Integer()), 'ID of the project; null for a note of an epic.'),
  resolvable: flag('Whether it can be resolved.'),
  resolved: described(Type.Optional(Type.Boolean()), 'Whether it is resolved; only if it can be.'),
  resolved_by: described(
    Type.Optional(Nullable(PublicUser)),
    'User who resolved it; null if nobody has. Only if it can be resolved.',
  ),
  resolved_at: described(
    Type.Optional(NullableText),
    'Time at which it was resolved; null if it is not. Only if it can be resolved.',
  ),
  confidential: flag('The same as `internal`.'),
  internal: flag('Whether only members from the reporter role on see it.'),
  suggestions: described(Type.Array(Suggestion), 'Changes that it suggests; only for a `DiffNote`.'),
  position: described(Type.Optional(Position), 'Line of the diff; only for a `DiffNote`.'),
  commands_changes: described(
    Type.Object({}, { additionalProperties: true }),
    'Attributes that quick actions in the text have changed; only in the response to its creation.',
  ),
  imported: flag('Whether it was imported; always false.'),
  imported_from: described(Type.String(), 'Service from which it was imported; always `none`.'),
})
export type Note = Static<typeof Note>

export interface NoteDeps {
  database: Database
  /** Public address without a trailing slash. */
  externalUrl: string
}

/** Records of notes that belong to `on`, in their order. */
export async function presentNotes(
  { database, externalUrl }: NoteDeps,
  on: Noteable,
  rows: readonly NoteRow[],
): Promise<Note[]> {
  const users = await usersById(
    database,
    rows.flatMap(({ author_id, resolved_by_id }) => [author_id, resolved_by_id ?? []].flat()),
  )
  const suggestions = await suggestionsOf(
    database,
    rows.flatMap(({ id, type }) => (type === 'DiffNote' ? [id] : [])),
  )
  const person = (id: number | null) => {
    const user = id === null ? undefined : users.get(id)
    return user ? presentUser(user, externalUrl) : null
  }
  return rows.map((row) => ({
    id: row.id,
    type: row.type,
    body: row.body,
    attachment: null,
    author: person(row.author_id),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
    system: row.system,
    noteable_id: on.type === 'Commit' ? null : on.row.id,
    noteable_type: on.type,
    noteable_iid: 'row' in on && 'iid' in on.row ? on.row.iid : null,
    ...(row.commit_sha !== null && { commit_id: row.commit_sha }),
    project_id: row.project_id,
    resolvable: isResolvable(row),
    ...(isResolvable(row) && {
      resolved: row.resolved_at !== null,
      resolved_by: person(row.resolved_by_id),
      resolved_at: isoTimeOrNull(row.resolved_at),
    }),
    confidential: row.internal,
    internal: row.internal,
    suggestions: (suggestions.get(row.id) ?? []).map((each) => presentSuggestion(each, row.position)),
    ...(row.position && { position: presentPosition(row.position) }),
    commands_changes: {},
    imported: false,
    imported_from: 'none',
  }))
}

/** The record of one note. */
export async function oneNote(deps: NoteDeps, on: Noteable, row: NoteRow): Promise<Note> {
  const [record] = await presentNotes(deps, on, [row])
  if (!record) throw notFound()
  return record
}

/** Threads of merge requests are resolved; comments of their own are not. */
export function isResolvable({ merge_request_id, type, system }: NoteRow): boolean {
  return merge_request_id !== null && type !== null && !system
}
