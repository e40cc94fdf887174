import { type Static, type TObject, type TProperties, Type } from 'typebox'

import { described, optional } from '../../http/parameters/described.js'
import { DateTime, Nullable, OneOf } from '../../http/parameters/types.js'
import { Note } from '../notes/present-note.js'

const AwardCount = Type.Object({
  name: described(Type.String(), 'Name without colons.'),
  count: described(Type.Integer(), 'Number of users who gave it.'),
  own_id: described(Nullable(Type.Integer()), 'ID of the emoji that the caller gave; null if none.'),
})

/** A note with what its page shows (beyond the reference). */
const DiscussedNote = Type.Object({
  ...Note.properties,
  body_html: described(
    Type.Optional(Type.String()),
    'Text as HTML; only with `with_details`, and for the first 256 KiB of a response.',
  ),
  award_emoji: described(
    Type.Optional(Type.Array(AwardCount)),
    'Emoji, in the order in which they were first given; only with `with_details`.',
  ),
})
export type DiscussedNote = Static<typeof DiscussedNote>

/** API, G2. */
export const Discussion = Type.Object({
  id: described(Type.String(), 'ID: 40 hexadecimal digits.'),
  individual_note: described(
    Type.Boolean(),
    'Whether it is a comment of its own, to which nobody has replied.',
  ),
  notes: described(Type.Array(DiscussedNote), 'Its notes, the oldest first.'),
})
export type Discussion = Static<typeof Discussion>

const DiscussionId = described(Type.String(), 'ID of the discussion.')
const NoteId = described(Type.Integer(), 'ID of the note.')
export const Body = Type.String({ maxLength: 1_000_000 })
export const Sha = Type.String({ pattern: '^[0-9a-f]{40}$' })
const Line = Nullable(Type.Integer({ minimum: 1 }))
const Path = Nullable(Type.String({ maxLength: 4096 }))
const Pixels = Nullable(Type.Number({ minimum: 0 }))

const RangeEnd = Type.Object({
  line_code: optional(Nullable(Type.String()), 'Line code; needed without the numbers of the line.'),
  type: optional(
    Nullable(OneOf('new', 'old', 'expanded')),
    '`new` for an added line, `old` for another one.',
  ),
  old_line: optional(Line, 'Line before the change.'),
  new_line: optional(Line, 'Line after the change.'),
})

export const Position = Type.Object({
  base_sha: described(Sha, 'Merge base of the branches, as `diff_refs` names it.'),
  start_sha: described(Sha, 'Head of the target branch, as `diff_refs` names it.'),
  head_sha: described(Sha, 'Head of the source branch, as `diff_refs` names it.'),
  position_type: described(OneOf('text', 'image', 'file'), 'Kind of the place.'),
  new_path: optional(Path, 'Path after the change.'),
  old_path: optional(Path, 'Path before the change.'),
  new_line: optional(Line, 'Line after the change: for lines that are added or unchanged.'),
  old_line: optional(Line, 'Line before the change: for lines that are removed or unchanged.'),
  line_range: optional(
    Nullable(
      Type.Object({
        start: optional(RangeEnd, 'First line; by default that of the position.'),
        end: optional(RangeEnd, 'Last line; by default that of the position.'),
      }),
    ),
    'Several lines, of which the last one is that of the position.',
  ),
  width: optional(Pixels, 'Width of the image in pixels.'),
  height: optional(Pixels, 'Height of the image in pixels.'),
  x: optional(Pixels, 'Distance from the left in pixels.'),
  y: optional(Pixels, 'Distance from the top in pixels.'),
})
export type GivenPosition = Static<typeof Position>

const times = {
  created_at: optional(DateTime(), 'Time of creation; only for owners and administrators.'),
}

const details = {
  with_details: optional(
    Type.Boolean(),
    'Whether to add the text as HTML and the emoji of each note; false by default.',
  ),
}

function paramsOf<Key extends TProperties>(key: Key) {
  const one = { ...key, discussion_id: DiscussionId }
  const note = { ...one, note_id: NoteId }
  return {
    list: Type.Object({ ...key, ...details }),
    one: Type.Object(one),
    create: Type.Object({ ...key, body: described(Body, 'Text in Markdown.'), ...times }),
    reply: Type.Object({ ...one, body: described(Body, 'Text in Markdown.'), ...times }),
    note: Type.Object(note),
    edit: Type.Object({ ...note, body: described(Body, 'Text in Markdown.') }),
  }
}

/** Those that do not depend on the kind of the object. */
export interface DiscussionParams {
  list: TObject<typeof details>
  one: TObject<ById>
  create: TObject<Text>
  reply: TObject<ById & Text>
  note: TObject<ById & ByNote>
}

/** Those of an edit, which differ for merge requests. */
export type EditParams = TObject<ById & ByNote & Pick<Text, 'body'>>

type ById = { discussion_id: typeof DiscussionId }
type ByNote = { note_id: typeof NoteId }
type Text = { body: typeof Body } & typeof times

export const OfIssue = paramsOf({
  issue_iid: described(Type.Integer(), 'Number of the issue within its project.'),
})
export const OfEpic = paramsOf({
  epic_id: described(Type.Integer(), 'ID of the epic, which is not its number.'),
})

export const OfSnippet = paramsOf({ snippet_id: described(Type.Integer(), 'ID of the snippet.') })

const ofCommit = paramsOf({ sha: described(Type.String(), 'ID of the commit, or a branch or tag.') })
export const OfCommit = {
  ...ofCommit,
  create: Type.Object({
    ...ofCommit.create.properties,
    position: optional(Position, 'Line of the diff, for a comment on it.'),
  }),
}

const mergeRequest = {
  merge_request_iid: described(Type.Integer(), 'Number of the merge request within its project.'),
}
const ofMergeRequest = paramsOf(mergeRequest)
export const OfMergeRequest = {
  ...ofMergeRequest,
  create: Type.Object({
    ...ofMergeRequest.create.properties,
    position: optional(Position, 'Line of the diff, for a comment on it.'),
    commit_id: optional(Sha, 'ID of the commit that is commented on; ignored.'),
  }),
  resolve: Type.Object({
    ...mergeRequest,
    discussion_id: DiscussionId,
    resolved: described(Type.Boolean(), 'Whether the discussion is resolved.'),
  }),
  edit: Type.Object({
    ...ofMergeRequest.note.properties,
    body: optional(Body, 'Text in Markdown.'),
    resolved: optional(Type.Boolean(), 'Whether the discussion of the note is resolved.'),
  }),
}
