import { type Static, Type } from 'typebox'

import { optional } from '../../http/parameters/described.js'
import { DateTime, OneOf, SortDirection } from '../../http/parameters/types.js'

/** Each of them is a condition of the query. */
const FilterNames = Type.Array(Type.String(), { maxItems: 100 })
const NoneOrAny = OneOf('None', 'Any', 'none', 'any')
const UserOrWord = Type.Union([Type.Integer(), NoneOrAny])
const In = Type.String()

const filters = {
  state: optional(OneOf('opened', 'closed', 'locked', 'merged', 'all'), 'State; `all` by default.'),
  author_id: optional(Type.Integer(), 'ID of the author.'),
  author_username: optional(Type.String(), 'Username of the author.'),
  assignee_id: optional(
    UserOrWord,
    'ID of an assignee; `None` for merge requests without one, `Any` for those with one.',
  ),
  assignee_username: optional(FilterNames, 'Usernames of assignees, who are all assigned.'),
  reviewer_id: optional(
    UserOrWord,
    'ID of a reviewer; `None` for merge requests without one, `Any` for those with one.',
  ),
  reviewer_username: optional(Type.String(), 'Username of a reviewer.'),
  approved_by_ids: optional(
    Type.Union([Type.Array(Type.Integer(), { maxItems: 100 }), NoneOrAny]),
    'IDs of users who have all approved; `None` for merge requests without an approval, `Any` for those with one.',
  ),
  approver_ids: optional(
    Type.Union([Type.Array(Type.Integer(), { maxItems: 100 }), NoneOrAny]),
    'IDs of users named as approvers. No merge request names its approvers, so `None` returns all and anything else none.',
  ),
  labels: optional(
    FilterNames,
    'Names of labels, all of which the merge requests have; `None` for those without labels, `Any` for those with one.',
  ),
  milestone: optional(
    Type.String(),
    'Title of the milestone; `None` for merge requests without one, `Any` for those with one.',
  ),
  my_reaction_emoji: optional(
    Type.String(),
    'Name of an emoji that the caller gave; `None` for merge requests without one of the caller, `Any` for those with one.',
  ),
  source_branch: optional(Type.String(), 'Name of the source branch.'),
  target_branch: optional(Type.String(), 'Name of the target branch.'),
  search: optional(Type.String(), 'Text in the title or the description.'),
  in: optional(In, 'Where to search: `title`, `description`, or both with a comma.'),
  wip: optional(OneOf('yes', 'no'), 'Whether to list drafts only, or the others only.'),
  created_after: optional(DateTime(), 'Earliest time of creation.'),
  created_before: optional(DateTime(), 'Latest time of creation.'),
  updated_after: optional(DateTime(), 'Earliest time of the last change.'),
  updated_before: optional(DateTime(), 'Latest time of the last change.'),
  environment: optional(
    Type.String(),
    'Name of an environment to which a successful deployment has brought the merge requests.',
  ),
  deployed_after: optional(DateTime(), 'Earliest time of such a deployment.'),
  deployed_before: optional(DateTime(), 'Latest time of such a deployment.'),
  not: optional(
    Type.Object({
      author_id: optional(Type.Integer(), 'ID of an author.'),
      author_username: optional(Type.String(), 'Username of an author.'),
      assignee_id: optional(Type.Integer(), 'ID of an assignee.'),
      assignee_username: optional(FilterNames, 'Usernames of assignees.'),
      reviewer_id: optional(Type.Integer(), 'ID of a reviewer.'),
      reviewer_username: optional(Type.String(), 'Username of a reviewer.'),
      labels: optional(FilterNames, 'Names of labels, none of which the merge requests have.'),
      milestone: optional(Type.String(), 'Title of a milestone.'),
      my_reaction_emoji: optional(Type.String(), 'Name of an emoji that the caller gave.'),
      source_branch: optional(Type.String(), 'Name of a source branch.'),
      target_branch: optional(Type.String(), 'Name of a target branch.'),
      search: optional(Type.String(), 'Text in the title or the description.'),
      in: optional(In, 'Where to search, as the parameter `in`.'),
    }),
    'Leaves out the merge requests that match any of these.',
  ),
}

const ORDERS = [
  'created_at',
  'updated_at',
  'title',
  'merged_at',
  'popularity',
  'milestone_due',
  'label_priority',
  'priority',
] as const

const order = {
  order_by: optional(
    OneOf(...ORDERS),
    'Order; `created_at` by default, `popularity` by upvotes, `priority` by the due date of the milestone and then by ' +
      'the most important label. What has no such value comes last.',
  ),
  sort: optional(SortDirection, 'Direction; `desc` by default.'),
}

const view = {
  view: optional(Type.Literal('simple'), '`simple`: only the title and what identifies the merge requests.'),
  with_labels_details: optional(
    Type.Boolean(),
    'Whether to describe the labels instead of naming them; false by default.',
  ),
  render_html: optional(Type.Boolean(), 'Whether to add title and description as HTML; false by default.'),
}

const Scope = OneOf('created_by_me', 'assigned_to_me', 'reviews_for_me', 'all')
const nonArchived = {
  non_archived: optional(
    Type.Boolean(),
    'Whether to leave out merge requests of archived projects; true by default.',
  ),
}

export const ListProjectMergeRequests = Type.Object({
  ...filters,
  iids: optional(Type.Array(Type.Integer()), 'Numbers of merge requests.'),
  scope: optional(Scope, 'Whose merge requests; `all` by default.'),
  ...order,
  ...view,
})

export const ListGroupMergeRequests = Type.Object({
  ...filters,
  scope: optional(Scope, 'Whose merge requests; `all` by default.'),
  ...order,
  ...view,
  ...nonArchived,
})

export const ListMergeRequests = Type.Object({
  ...filters,
  scope: optional(Scope, 'Whose merge requests; `created_by_me` by default.'),
  ...order,
  ...view,
  ...nonArchived,
})

export type MergeRequestFilter = Static<typeof ListProjectMergeRequests> &
  Static<typeof ListGroupMergeRequests>

/** Parameters of which a list takes one of each group. */
export const EXCLUSIVE = [
  ['author_id', 'author_username'],
  ['assignee_id', 'assignee_username'],
  ['reviewer_id', 'reviewer_username'],
]
