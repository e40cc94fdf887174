import { type Static, Type } from 'typebox'

import { described, flag } from '../../http/parameters/described.js'
import { DateOnly, Nullable, NullableText, OneOf } from '../../http/parameters/types.js'
import { Milestone } from '../../http/presenters/present-milestone.js'
import { PublicUser } from '../../http/presenters/present-user.js'
import { LabelDetails } from '../labels/label-details.js'
import { TimeStats } from '../time-tracking/time-tracking.js'
import { LinkType } from './schema.js'

/** API, F1. */
export const Issue = Type.Object({
  id: described(Type.Integer(), 'ID of the issue.'),
  iid: described(Type.Integer(), 'Number of the issue within its project.'),
  project_id: described(Type.Integer(), 'ID of the project.'),
  title: described(Type.String(), 'Title.'),
  description: described(NullableText, 'Description in Markdown; null if there is none.'),
  state: described(OneOf('opened', 'closed'), 'State.'),
  created_at: described(Type.String(), 'Time of creation.'),
  updated_at: described(Type.String(), 'Time of the last change.'),
  closed_at: described(NullableText, 'Time at which it was closed; null for an open issue.'),
  closed_by: described(Nullable(PublicUser), 'User who closed it; null for an open issue.'),
  labels: described(Type.Array(Type.String()), 'Names of the labels, in their order.'),
  milestone: described(Nullable(Milestone), 'Milestone; null if there is none.'),
  epic: described(
    Nullable(
      Type.Object({
        id: described(Type.Integer(), 'ID of the epic.'),
        iid: described(Type.Integer(), 'Number of the epic within its group.'),
        title: described(Type.String(), 'Title.'),
        url: described(Type.String(), 'Path of the epic page.'),
        group_id: described(Type.Integer(), 'ID of its group.'),
      }),
    ),
    'Epic; null if there is none that the caller may see.',
  ),
  epic_id: described(Nullable(Type.Integer()), 'ID of the epic; null as `epic`.'),
  epic_iid: described(Nullable(Type.Integer()), 'Number of the epic within its group; null as `epic`.'),
  assignees: described(Type.Array(PublicUser), 'Assignees.'),
  author: described(Nullable(PublicUser), 'Author.'),
  assignee: described(Nullable(PublicUser), 'First assignee; null if there is none.'),
  type: described(Type.String(), 'Kind in capital letters: `ISSUE`.'),
  issue_type: described(Type.String(), 'Kind: `issue`, `incident`, `test_case` or `task`.'),
  severity: described(Type.String(), 'Severity of an incident; `UNKNOWN`.'),
  user_notes_count: described(Type.Integer(), 'Number of comments.'),
  merge_requests_count: described(Type.Integer(), 'Number of merge requests that close it.'),
  upvotes: described(Type.Integer(), 'Number of approving emoji.'),
  downvotes: described(Type.Integer(), 'Number of disapproving emoji.'),
  due_date: described(Nullable(DateOnly()), 'Day on which it is due; null if there is none.'),
  confidential: flag('Whether only its author, its assignees and members from the reporter role on see it.'),
  discussion_locked: described(
    Nullable(Type.Boolean()),
    'Whether only members may comment; null if it was never set.',
  ),
  weight: described(Nullable(Type.Integer()), 'Weight; null if there is none.'),
  blocking_issues_count: described(Type.Integer(), 'Number of open issues that it blocks.'),
  web_url: described(Type.String(), 'URL of the issue page.'),
  time_stats: described(TimeStats, 'Estimated time and time spent.'),
  has_tasks: flag('Whether the description has a task list.'),
  task_status: described(Type.String(), 'Completed tasks in words.'),
  task_completion_status: described(
    Type.Object({
      count: described(Type.Integer(), 'Number of tasks in the description.'),
      completed_count: described(Type.Integer(), 'Number of completed tasks.'),
    }),
    'Tasks in the description.',
  ),
  references: described(
    Type.Object({
      short: described(Type.String(), 'Reference within the project: `#3`.'),
      relative: described(Type.String(), 'Reference from the place that was asked: `#3` or `app#3`.'),
      full: described(Type.String(), 'Reference from everywhere: `group/app#3`.'),
    }),
    'Texts that refer to the issue.',
  ),
  _links: described(
    Type.Object({
      self: described(Type.String(), 'URL of this record.'),
      notes: described(Type.String(), 'URL of its comments.'),
      award_emoji: described(Type.String(), 'URL of its emoji.'),
      project: described(Type.String(), 'URL of its project.'),
      closed_as_duplicate_of: described(
        NullableText,
        'URL of the issue of which it is a duplicate; null if none.',
      ),
    }),
    'Related URLs.',
  ),
  moved_to_id: described(
    Nullable(Type.Integer()),
    'ID of the issue that it became in another project; null if none.',
  ),
  imported: flag('Whether it was imported; always false.'),
  imported_from: described(Type.String(), 'Service from which it was imported; always `none`.'),
  service_desk_reply_to: described(NullableText, 'Address of a service desk; always null.'),
})
export type Issue = Static<typeof Issue>

/** The record of an issue in a list. */
export const ListedIssue = Type.Object({
  ...Issue.properties,
  labels: described(
    Type.Union([Type.Array(Type.String()), Type.Array(LabelDetails)]),
    'Names of the labels, in their order; with `with_labels_details`, the labels themselves.',
  ),
})
export type ListedIssue = Static<typeof ListedIssue>

/** The record of one issue alone. */
export const SingleIssue = Type.Object({
  ...Issue.properties,
  subscribed: flag('Whether the caller gets notifications about it.'),
  description_html: described(Type.Optional(Type.String()), 'Description as HTML; only with `render_html`.'),
})
export type SingleIssue = Static<typeof SingleIssue>

/** An issue that another one is linked to. */
export const LinkedIssue = Type.Object({
  ...Issue.properties,
  issue_link_id: described(Type.Integer(), 'ID of the link.'),
  link_type: described(LinkType, 'What the issue that was asked for does to this one.'),
  link_created_at: described(Type.String(), 'Time of creation of the link.'),
  link_updated_at: described(Type.String(), 'Time of the last change of the link.'),
})
export type LinkedIssue = Static<typeof LinkedIssue>
