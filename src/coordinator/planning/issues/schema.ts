import { type Static, Type } from 'typebox'

import { described, optional } from '../../http/parameters/described.js'
import { DateOnly, DateTime, Nullable, OneOf, SortDirection } from '../../http/parameters/types.js'
import { MILESTONE_AND_LABELS, Names, TEXT_AND_ASSIGNEES, Title } from '../planned-parameters.js'
import { Estimate, SpentTime } from '../time-tracking/time-tracking.js'

const Iid = described(Type.Integer(), 'Number of the issue within its project.')
const IssueKind = OneOf('issue', 'incident', 'test_case', 'task')
const GivenWeight = Type.Integer({ minimum: 0, maximum: 2_147_483_647 })
const Weight = Nullable(GivenWeight)

/** Each of them is a condition of the query. */
const FilterNames = Type.Array(Type.String(), { maxItems: 100 })
const NoneOrAny = OneOf('None', 'Any', 'none', 'any')

export const ByIid = Type.Object({ issue_iid: Iid })
export const GetIssue = Type.Object({
  issue_iid: Iid,
  render_html: optional(Type.Boolean(), 'Whether to add the description as HTML; false by default.'),
})

export const ById = Type.Object({ id: described(Type.Integer(), 'ID of the issue.') })

const fields = {
  ...TEXT_AND_ASSIGNEES,
  ...MILESTONE_AND_LABELS,
  due_date: optional(Nullable(DateOnly()), 'Day on which the issue is due; null for none.'),
  confidential: optional(
    Type.Boolean(),
    'Whether only its author, its assignees and members from the reporter role on see the issue.',
  ),
  discussion_locked: optional(Nullable(Type.Boolean()), 'Whether only members may comment.'),
  weight: optional(Weight, 'Weight; null for none.'),
  issue_type: optional(IssueKind, 'Kind of the issue; `issue` by default.'),
  epic_id: optional(
    Nullable(Type.Integer()),
    'ID of the epic, of a group in which the caller is at least a reporter; `0` for none.',
  ),
}

export const CreateIssue = Type.Object({
  title: described(Title, 'Title.'),
  ...fields,
  created_at: optional(DateTime(), 'Time of creation; only for owners and administrators.'),
  iid: optional(
    Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
    'Number within the project; only for owners and administrators.',
  ),
})
export type CreateIssue = Static<typeof CreateIssue>

export const EditIssue = Type.Object({
  issue_iid: Iid,
  title: optional(Title, 'Title.'),
  ...fields,
  add_labels: optional(Names, 'Names of labels to add to those that it has.'),
  remove_labels: optional(Names, 'Names of labels to take away.'),
  state_event: optional(OneOf('close', 'reopen'), 'Whether to close or to reopen the issue.'),
  updated_at: optional(DateTime(), 'Time of the change; only for owners and administrators.'),
})
export type EditIssue = Static<typeof EditIssue>

/** Parameters of which an update needs one. */
export const CHANGES = Object.keys(EditIssue.properties).filter((name) => name !== 'issue_iid')

const AuthorId = Type.Integer()
const AssigneeId = Type.Union([Type.Integer(), NoneOrAny])
const In = Type.String()

const filters = {
  state: optional(OneOf('opened', 'closed', 'all'), 'State; `all` by default.'),
  author_id: optional(AuthorId, 'ID of the author.'),
  author_username: optional(Type.String(), 'Username of the author.'),
  assignee_id: optional(
    AssigneeId,
    'ID of an assignee; `None` for issues without one, `Any` for those with one.',
  ),
  assignee_username: optional(FilterNames, 'Usernames of assignees, who are all assigned.'),
  labels: optional(
    FilterNames,
    'Names of labels, all of which the issues have; `None` for issues without labels, `Any` for those with one.',
  ),
  milestone: optional(
    Type.String(),
    'Title of the milestone; `None` for issues without one, `Any` for those with one.',
  ),
  my_reaction_emoji: optional(
    Type.String(),
    'Name of an emoji that the caller gave the issues; `None` for issues without one, `Any` for those with one.',
  ),
  weight: optional(
    Type.Union([GivenWeight, NoneOrAny]),
    'Weight; `None` for issues without one, `Any` for those with one.',
  ),
  epic_id: optional(
    Type.Union([Type.Integer(), NoneOrAny]),
    'ID of an epic; `None` for issues without one that the caller may see, `Any` for those with one.',
  ),
  iids: optional(Type.Array(Type.Integer()), 'Numbers of issues within their project.'),
  issue_type: optional(IssueKind, 'Kind of the issues.'),
  search: optional(Type.String(), 'Text in the title or the description.'),
  in: optional(In, 'Where to search: `title`, `description`, or both with a comma.'),
  confidential: optional(Type.Boolean(), 'Whether to list confidential issues only, or the others only.'),
  due_date: optional(
    OneOf(
      ...(['0', 'any', 'today', 'tomorrow', 'overdue', 'week', 'month'] as const),
      'next_month_and_previous_two_weeks',
    ),
    'Issues due then; `0` for those without a due date, `any` for those with one.',
  ),
  created_after: optional(DateTime(), 'Earliest time of creation.'),
  created_before: optional(DateTime(), 'Latest time of creation.'),
  updated_after: optional(DateTime(), 'Earliest time of the last change.'),
  updated_before: optional(DateTime(), 'Latest time of the last change.'),
  not: optional(
    Type.Object({
      author_id: optional(AuthorId, 'ID of an author.'),
      author_username: optional(Type.String(), 'Username of an author.'),
      assignee_id: optional(Type.Integer(), 'ID of an assignee.'),
      assignee_username: optional(FilterNames, 'Usernames of assignees.'),
      labels: optional(FilterNames, 'Names of labels, none of which the issues have.'),
      milestone: optional(FilterNames, 'Titles of milestones.'),
      my_reaction_emoji: optional(Type.String(), 'Name of an emoji that the caller gave.'),
      search: optional(Type.String(), 'Text in the title or the description.'),
      in: optional(In, 'Where to search, as the parameter `in`.'),
      iids: optional(Type.Array(Type.Integer()), 'Numbers of issues.'),
    }),
    'Leaves out the issues that match any of these.',
  ),
}

const order = {
  order_by: optional(
    OneOf(
      ...(['created_at', 'updated_at', 'due_date', 'relative_position', 'weight'] as const),
      ...(['milestone_due', 'popularity', 'title', 'label_priority', 'priority'] as const),
    ),
    'Order; `created_at` by default, `popularity` by upvotes, `label_priority` by the most important label, ' +
      '`priority` by the due date of the milestone and then by label. Issues without a value come last.',
  ),
  sort: optional(SortDirection, 'Direction; `desc` by default.'),
}

const details = {
  with_labels_details: optional(
    Type.Boolean(),
    'Whether to describe the labels instead of naming them; false by default.',
  ),
}

const Scope = OneOf('created_by_me', 'assigned_to_me', 'all')

export const ListProjectIssues = Type.Object({
  ...filters,
  scope: optional(Scope, 'Issues of which author; `all` by default.'),
  ...order,
  ...details,
})

export const ListGroupIssues = Type.Object({
  ...ListProjectIssues.properties,
  non_archived: optional(
    Type.Boolean(),
    'Whether to leave out issues of archived projects; true by default.',
  ),
})

export const ListIssues = Type.Object({
  ...filters,
  scope: optional(Scope, 'Issues of which author; `created_by_me` by default.'),
  ...order,
  ...details,
  non_archived: optional(
    Type.Boolean(),
    'Whether to leave out issues of archived projects; true by default.',
  ),
})

export type IssueFilter = Static<typeof ListGroupIssues>

/** Parameters of which a list takes one of each group. */
export const EXCLUSIVE = [
  ['author_id', 'author_username'],
  ['assignee_id', 'assignee_username'],
]

export const CountIssues = Type.Object({
  ...filters,
  scope: optional(Scope, 'Issues of which author; `all` by default.'),
})

export const IssueStatistics = Type.Object({
  statistics: described(
    Type.Object({
      counts: described(
        Type.Object({
          all: described(Type.Integer(), 'Number of issues.'),
          closed: described(Type.Integer(), 'Number of closed issues.'),
          opened: described(Type.Integer(), 'Number of open issues.'),
        }),
        'Numbers of issues by state.',
      ),
    }),
    'Numbers of issues.',
  ),
})

export const MoveIssue = Type.Object({
  issue_iid: Iid,
  to_project_id: described(Type.Integer(), 'ID of the project to which the issue is moved.'),
})

export const CloneIssue = Type.Object({
  ...MoveIssue.properties,
  with_notes: optional(Type.Boolean(), 'Whether to copy the comments, too; false by default.'),
})

export const ReorderIssue = Type.Object({
  issue_iid: Iid,
  move_after_id: optional(Nullable(Type.Integer()), 'ID of the issue that comes after this one.'),
  move_before_id: optional(Nullable(Type.Integer()), 'ID of the issue that comes before this one.'),
})
export type ReorderIssue = Static<typeof ReorderIssue>

export const SetEstimate = Type.Object({ issue_iid: Iid, duration: Estimate })
export const AddSpentTime = Type.Object({ issue_iid: Iid, duration: SpentTime })

export const LinkType = OneOf('relates_to', 'blocks', 'is_blocked_by')
export type LinkType = Static<typeof LinkType>

export const CreateLink = Type.Object({
  issue_iid: Iid,
  target_project_id: described(
    Type.Union([Type.Integer(), Type.String()]),
    'ID or full path of the project of the other issue.',
  ),
  target_issue_iid: described(Type.Integer(), 'Number of the other issue within its project.'),
  link_type: optional(LinkType, 'What this issue does to the other one; `relates_to` by default.'),
})
export type CreateLink = Static<typeof CreateLink>

export const ByLink = Type.Object({
  issue_iid: Iid,
  issue_link_id: described(Type.Integer(), 'ID of the link.'),
})
