import { type Static, Type } from 'typebox'

import { described, optional } from '../../http/parameters/described.js'
import { DateTime, Nullable, OneOf } from '../../http/parameters/types.js'
import { emojiField } from '../transfer/transferred-emoji.js'
import { Username } from '../transfer/transferred-people.js'

const Sha = Type.String({ pattern: '^[0-9a-f]{40}$' })
const Path = Nullable(Type.String({ maxLength: 4096 }))
const Line = Nullable(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }))
const Pixels = Nullable(Type.Number({ minimum: 0 }))
const Time = Nullable(DateTime())
const Iid = Type.Integer({ minimum: 1 })

/** A line of a diff. */
const Position = Type.Object({
  base_sha: described(Sha, 'Merge base of the branches.'),
  start_sha: described(Sha, 'Head of the target branch.'),
  head_sha: described(Sha, 'Head of the source branch.'),
  position_type: described(OneOf('text', 'image', 'file'), 'Kind of the place.'),
  old_path: optional(Path, 'Path before the change.'),
  new_path: optional(Path, 'Path after the change.'),
  old_line: optional(Line, 'Line before the change.'),
  new_line: optional(Line, 'Line after the change.'),
  line_range: optional(
    Type.Record(Type.String(), Type.Unknown()),
    'Several lines, as the client named them.',
  ),
  width: optional(Pixels, 'Width of the image in pixels.'),
  height: optional(Pixels, 'Height of the image in pixels.'),
  x: optional(Pixels, 'Distance from the left in pixels.'),
  y: optional(Pixels, 'Distance from the top in pixels.'),
})
export type TransferredPosition = Static<typeof Position>

const Lines = Type.Integer({ minimum: 0, maximum: 2_147_483_647 })
const Content = Type.String({ maxLength: 1_000_000 })

const TransferredSuggestion = Type.Object({
  lines_above: described(Lines, 'Number of lines above that of the note which it replaces, too.'),
  lines_below: described(Lines, 'Number of lines below that of the note which it replaces, too.'),
  from_content: described(Content, 'Replaced lines.'),
  to_content: described(Content, 'What replaces them.'),
  commit_sha: optional(Nullable(Sha), 'Commit that has applied it; null if none has.'),
})

/** A note of an issue, a merge request or a commit in an archive: one of the three is given. */
export const TransferredNote = Type.Object({
  issue: optional(Iid, 'Number of the issue.'),
  merge_request: optional(Iid, 'Number of the merge request.'),
  commit: optional(Sha, 'ID of the commit.'),
  discussion_id: described(Sha, 'ID of the thread, 40 hexadecimal digits.'),
  type: optional(Nullable(OneOf('DiscussionNote', 'DiffNote')), 'Kind; null for a comment of its own.'),
  author: optional(Username, 'Username of the author.'),
  body: described(Type.String({ maxLength: 1_000_000 }), 'Text in Markdown.'),
  system: optional(Type.Boolean(), 'Whether the coordinator wrote it to record a change.'),
  action: optional(Nullable(Type.String({ maxLength: 64 })), 'Kind of that change.'),
  internal: optional(Type.Boolean(), 'Whether only members from the reporter role on see it.'),
  resolved_at: optional(Time, 'Time at which it was resolved.'),
  resolved_by: optional(Nullable(Username), 'Username of the user who resolved it.'),
  position: optional(Nullable(Position), 'Line of the latest version.'),
  original_position: optional(Nullable(Position), 'Line of the version for which it was written.'),
  line_code: optional(Nullable(Type.String({ maxLength: 255 })), 'Identifies the line within a diff.'),
  outdated_at: optional(Time, 'Time at which a push changed its line.'),
  ...emojiField,
  suggestions: optional(Type.Array(TransferredSuggestion, { maxItems: 100 }), 'Changes that it suggests.'),
  created_at: described(DateTime(), 'Time of creation.'),
  updated_at: described(DateTime(), 'Time of the last change.'),
  last_edited_at: optional(Time, 'Time of the last change of the text.'),
})
export type TransferredNote = Static<typeof TransferredNote>
