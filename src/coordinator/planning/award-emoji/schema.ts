import { type Static, type TObject, type TProperties, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { NullableText } from '../../http/parameters/types.js'
import { PublicUser } from '../../http/presenters/present-user.js'

const AwardId = described(Type.Integer(), 'ID of the emoji.')
const Name = described(Type.String(), 'Name without colons, such as `thumbsup`.')

/** The parameters of the operations on the emoji of an object; `key` identifies the object. */
function awardParams<Key extends TProperties>(key: Key) {
  return {
    list: Type.Object(key),
    one: Type.Object({ ...key, award_id: AwardId }),
    create: Type.Object({ ...key, name: Name }),
  }
}

/** Those that do not depend on the kind of the object. */
export interface AwardParams {
  list: TObject
  one: TObject<{ award_id: typeof AwardId }>
  create: TObject<{ name: typeof Name }>
}

const note_id = described(Type.Integer(), 'ID of the note.')
const issue_iid = described(Type.Integer(), 'Number of the issue within its project.')
const merge_request_iid = described(Type.Integer(), 'Number of the merge request within its project.')
const snippet_id = described(Type.Integer(), 'ID of the snippet.')
const epic_id = described(Type.Integer(), 'ID of the epic, which is not its number.')

export const OfIssue = awardParams({ issue_iid })
export const OfMergeRequest = awardParams({ merge_request_iid })
export const OfSnippet = awardParams({ snippet_id })
export const OfIssueNote = awardParams({ issue_iid, note_id })
export const OfMergeRequestNote = awardParams({ merge_request_iid, note_id })
export const OfEpicNote = awardParams({ epic_id, note_id })
export const OfSnippetNote = awardParams({ snippet_id, note_id })

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
