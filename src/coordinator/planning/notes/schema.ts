import { type Static, type TObject, type TProperties, Type } from 'typebox'

import { described, optional } from '../../http/parameters/described.js'
import { DateTime, OneOf, SortDirection } from '../../http/parameters/types.js'

const NoteId = described(Type.Integer(), 'ID of the note.')
const Body = described(Type.String({ maxLength: 1_000_000 }), 'Text in Markdown.')

const list = {
  order_by: optional(OneOf('created_at', 'updated_at'), 'Order; `created_at` by default.'),
  sort: optional(SortDirection, 'Direction; `desc` by default.'),
  activity_filter: optional(
    OneOf('all_notes', 'only_comments', 'only_activity'),
    'Whether to list all notes, comments only, or records of changes only; all by default.',
  ),
}

const create = {
  body: Body,
  internal: optional(Type.Boolean(), 'Whether only members from the reporter role on see it.'),
  confidential: optional(Type.Boolean(), 'Older name of `internal`.'),
  created_at: optional(DateTime(), 'Time of creation; only for owners and administrators.'),
}

/** Those that do not depend on the kind of the object. */
export interface NoteParams {
  list: TObject<typeof list>
  one: TObject<{ note_id: typeof NoteId }>
  create: TObject<typeof create>
  edit: TObject<{ note_id: typeof NoteId; body: typeof Body }>
}

function paramsOf<Key extends TProperties>(key: Key) {
  return {
    list: Type.Object({ ...key, ...list }),
    one: Type.Object({ ...key, note_id: NoteId }),
    create: Type.Object({ ...key, ...create }),
    edit: Type.Object({ ...key, note_id: NoteId, body: Body }),
  }
}

export const OfIssue = paramsOf({
  issue_iid: described(Type.Integer(), 'Number of the issue within its project.'),
})
export const OfMergeRequest = paramsOf({
  merge_request_iid: described(Type.Integer(), 'Number of the merge request within its project.'),
})
export const OfEpic = paramsOf({
  epic_id: described(Type.Integer(), 'ID of the epic, which is not its number.'),
})

export const OfSnippet = paramsOf({ snippet_id: described(Type.Integer(), 'ID of the snippet.') })

const ListNotes = Type.Object(list)
export type ListNotes = Static<typeof ListNotes>
const CreateNote = Type.Object(create)
export type CreateNote = Static<typeof CreateNote>
