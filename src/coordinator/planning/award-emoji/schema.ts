import { type Static, type TProperties, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { NullableText } from '../../http/parameters/types.js'
import { PublicUser } from '../../http/presenters/present-user.js'

const AwardId = described(Type.Integer(), 'ID of the emoji.')
const Name = described(Type.String(), 'Name without colons, such as `thumbsup`.')

const IssueIid = described(Type.Integer(), 'Number of the issue within its project.')

export const OfIssue = {
  list: Type.Object({ issue_iid: IssueIid }),
  one: Type.Object({ issue_iid: IssueIid, award_id: AwardId }),
  create: Type.Object({ issue_iid: IssueIid, name: Name }),
}

const MergeRequestIid = described(Type.Integer(), 'Number of the merge request within its project.')

export const OfMergeRequest = {
  list: Type.Object({ merge_request_iid: MergeRequestIid }),
  one: Type.Object({ merge_request_iid: MergeRequestIid, award_id: AwardId }),
  create: Type.Object({ merge_request_iid: MergeRequestIid, name: Name }),
}

function ofNote<Key extends TProperties>(key: Key) {
  const note = { ...key, note_id: described(Type.Integer(), 'ID of the note.') }
  return {
    list: Type.Object(note),
    one: Type.Object({ ...note, award_id: AwardId }),
    create: Type.Object({ ...note, name: Name }),
  }
}

const SnippetId = described(Type.Integer(), 'ID of the snippet.')

export const OfSnippet = {
  list: Type.Object({ snippet_id: SnippetId }),
  one: Type.Object({ snippet_id: SnippetId, award_id: AwardId }),
  create: Type.Object({ snippet_id: SnippetId, name: Name }),
}
export const OfSnippetNote = ofNote({ snippet_id: SnippetId })

export const OfIssueNote = ofNote({ issue_iid: IssueIid })
export const OfMergeRequestNote = ofNote({ merge_request_iid: MergeRequestIid })
export const OfEpicNote = ofNote({
  epic_id: described(Type.Integer(), 'ID of the epic, which is not its number.'),
})

/** API, G5. */
export const AwardEmoji = Type.Object({
  id: described(Type.Integer(), 'ID of the emoji.'),
  name: described(Type.String(), 'Name without colons.'),
  user: described(PublicUser, 'User who gave it.'),
  created_at: described(Type.String(), 'Time at which it was given.'),
  updated_at: described(Type.String(), 'Time of the last change, which is the first one.'),
  awardable_id: described(
    Type.Integer(),
    'ID of the issue, merge request, snippet or note that it was given.',
  ),
  awardable_type: described(
    Type.String(),
    'Kind of what it was given: `Issue`, `MergeRequest`, `Snippet` or `Note`.',
  ),
  url: described(NullableText, 'URL of the picture of an emoji that is no Unicode character; always null.'),
})
export type AwardEmoji = Static<typeof AwardEmoji>
