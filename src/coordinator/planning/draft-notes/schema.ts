import { type Static, Type } from 'typebox'

import { described, flag, optional } from '../../http/parameters/described.js'
import { Nullable, NullableText } from '../../http/parameters/types.js'
import { Body, Position as GivenPosition, Sha } from '../discussions/schema.js'
import { Position } from '../notes/present-position.js'

const { properties: place } = Position

/** API, G2. A draft that is on no line has a place in which nothing but the kind is set, as clients expect it. */
export const DraftNote = Type.Object({
  id: described(Type.Integer(), 'ID of the draft.'),
  author_id: described(Type.Integer(), 'ID of the author, who alone sees it.'),
  merge_request_id: described(Type.Integer(), 'ID of the merge request, which is not its number.'),
  resolve_discussion: flag('Whether publishing it resolves its discussion.'),
  discussion_id: described(NullableText, 'ID of the discussion to which it replies; null = none.'),
  note: described(Type.String(), 'Text in Markdown.'),
  commit_id: described(NullableText, 'ID of the commit that the client has named; null = none.'),
  line_code: described(NullableText, 'Identifies the line in the diff; null for one that is on no line.'),
  position: described(
    Type.Object({
      ...place,
      base_sha: described(NullableText, 'Merge base of the branches; null for one that is on no line.'),
      start_sha: described(NullableText, 'Head of the target branch; null for one that is on no line.'),
      head_sha: described(NullableText, 'Head of the source branch; null for one that is on no line.'),
    }),
    'Line of the diff.',
  ),
})
export type DraftNote = Static<typeof DraftNote>

const mergeRequest = {
  merge_request_iid: described(Type.Integer(), 'Number of the merge request within its project.'),
}
const one = { ...mergeRequest, draft_note_id: described(Type.Integer(), 'ID of the draft.') }

export const OfDrafts = Type.Object(mergeRequest)
export const OneDraft = Type.Object(one)

export const CreateDraft = Type.Object({
  ...mergeRequest,
  note: described(Body, 'Text in Markdown.'),
  commit_id: optional(Sha, 'ID of the commit that the author reads; the published comment has none.'),
  in_reply_to_discussion_id: optional(
    Nullable(Type.String({ maxLength: 255 })),
    'ID of the discussion to which it replies; its place is that of the discussion.',
  ),
  resolve_discussion: optional(
    Type.Boolean(),
    'Whether publishing it resolves the discussion to which it replies, or opens it again. By default neither.',
  ),
  position: optional(GivenPosition, 'Line of the diff, for a comment on it.'),
})
export type CreateDraft = Static<typeof CreateDraft>

export const EditDraft = Type.Object({
  ...one,
  note: optional(Body, 'Text in Markdown.'),
  position: optional(GivenPosition, 'Line of the diff; not for a reply.'),
})
export type EditDraft = Static<typeof EditDraft>
