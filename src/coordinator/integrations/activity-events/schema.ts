import { type Static, Type } from 'typebox'

import { described, flag } from '../../http/parameters/described.js'
import { DateOnly, DateTime, Nullable, OneOf, SortDirection } from '../../http/parameters/types.js'
import { PublicUser } from '../../http/presenters/present-user.js'

const NullableText = Nullable(Type.String())
const NullableInteger = Nullable(Type.Integer())

const PushData = Type.Object({
  commit_count: described(Type.Integer(), 'Number of pushed commits; 0 for a tag or a deleted ref.'),
  action: described(OneOf('created', 'pushed', 'removed'), 'Action on the ref.'),
  ref_type: described(OneOf('branch', 'tag'), 'Type of the ref.'),
  commit_from: described(NullableText, 'SHA of the commit before the push; null for a new ref.'),
  commit_to: described(NullableText, 'SHA of the commit after the push; null for a deleted ref.'),
  ref: described(NullableText, 'Name of the branch or tag.'),
  commit_title: described(NullableText, 'Title of the newest commit; null if there is none.'),
  ref_count: described(NullableInteger, 'Number of refs in a bulk push event; null for a single ref.'),
})

const Comment = Type.Object({
  id: described(Type.Integer(), 'ID of the comment.'),
  type: described(NullableText, 'Kind: `DiscussionNote`, `DiffNote`, or null for a comment of its own.'),
  body: described(Type.String(), 'Text in Markdown.'),
  attachment: described(NullableText, 'Always null.'),
  author: described(PublicUser, 'Author.'),
  created_at: described(DateTime(), 'Time of creation.'),
  updated_at: described(DateTime(), 'Time of the last change.'),
  system: flag('Always false.'),
  noteable_id: described(NullableInteger, 'ID of what it is on; null for a commit.'),
  noteable_type: described(OneOf('Issue', 'MergeRequest', 'Snippet', 'Commit'), 'Kind of what it is on.'),
  noteable_iid: described(NullableInteger, 'Number of what it is on; null for a snippet or commit.'),
  commit_id: described(Type.Optional(Type.String()), 'ID of the commit; only for a comment on one.'),
  project_id: described(NullableInteger, 'ID of the project.'),
  internal: flag('Whether only reporters see it.'),
  confidential: flag('The same.'),
})

const WikiPage = Type.Object({
  format: described(Type.String(), 'Format of the page, such as `markdown`.'),
  slug: described(Type.String(), 'Path of the page without its extension, after its last change.'),
  title: described(Type.String(), 'Title of the page.'),
  wiki_page_meta_id: described(Type.Integer(), 'ID of the page in events.'),
})

export const Event = Type.Object({
  id: described(Type.Integer(), 'ID of the event.'),
  project_id: described(NullableInteger, 'ID of the project.'),
  project_path: described(NullableText, 'Full path of the project (beyond the reference).'),
  action_name: described(
    Type.String(),
    'Action: `opened` (also again), `closed`, `accepted`, `approved`, `created`, `joined`, `left`, `updated`, `destroyed`, `commented on`, `pushed to`, `pushed new`, `deleted`, or `removed due to membership expiration from`.',
  ),
  target_id: described(
    NullableInteger,
    'ID of the issue, merge request, milestone, wiki page or comment; null for the project or a ref.',
  ),
  target_iid: described(
    NullableInteger,
    'IID of the target within its project, of a wiki page or comment its ID; null if there is none.',
  ),
  target_type: described(
    NullableText,
    'Type of the target: `Issue`, `MergeRequest`, `Milestone`, `WikiPage::Meta`, or of a comment `Note`, `DiscussionNote` or `DiffNote`; null for the project or a ref.',
  ),
  author_id: described(Type.Integer(), 'ID of the author.'),
  target_title: described(
    NullableText,
    'Title of the target, or of what the comment is on; null if there is none.',
  ),
  created_at: described(DateTime(), 'Time of the event.'),
  author: described(PublicUser, 'Author of the event.'),
  author_username: described(Type.String(), 'Username of the author.'),
  push_data: described(Type.Optional(PushData), 'Data of the push; only for push events.'),
  note: described(Type.Optional(Comment), 'The comment; only for events of comments.'),
  wiki_page: described(Type.Optional(WikiPage), 'The wiki page; only for events of wiki pages.'),
})
export type Event = Static<typeof Event>

const Actions = OneOf(
  ...(['created', 'updated', 'closed', 'reopened', 'pushed', 'commented', 'merged'] as const),
  ...(['joined', 'left', 'destroyed', 'expired', 'approved'] as const),
)
const Targets = OneOf(
  ...(['issue', 'milestone', 'merge_request', 'note', 'project', 'snippet', 'user'] as const),
  ...(['wiki', 'design', 'epic'] as const),
)

const filters = {
  action: described(Type.Optional(Actions), 'Action to filter by; `pushed` includes every change of a ref.'),
  target_type: described(Type.Optional(Targets), 'Type of the target to filter by.'),
  before: described(Type.Optional(DateOnly()), 'Return only events before this day (UTC).'),
  after: described(Type.Optional(DateOnly()), 'Return only events after this day (UTC).'),
  sort: described(Type.Optional(SortDirection), 'Sort order by time; default `desc`, the newest first.'),
}

export const ListEvents = Type.Object(filters)
export type ListEvents = Static<typeof ListEvents>

export const ListOwnEvents = Type.Object({
  ...filters,
  scope: described(
    Type.Optional(OneOf('all')),
    '`all`: events of all members in the projects of the caller; default: events of the caller only.',
  ),
})

export const ListEventsOfUser = Type.Object({
  user_id: described(Type.String(), 'ID or username of the user.'),
  ...filters,
})
