import { type Static, Type } from 'typebox'

import { described, optional } from '../../http/parameters/described.js'
import { OneOf } from '../../http/parameters/types.js'
import { PublicUser } from '../../http/presenters/present-user.js'
import { Issue } from '../issues/record-schema.js'
import { MergeRequest } from '../merge-requests/record-schema.js'

const filters = {
  action: optional(
    OneOf(
      ...(['assigned', 'mentioned', 'build_failed', 'marked', 'approval_required', 'unmergeable'] as const),
      ...([
        'directly_addressed',
        'merge_train_removed',
        'review_requested',
        'member_access_requested',
      ] as const),
      'review_submitted',
    ),
    'What happened.',
  ),
  author_id: optional(Type.Integer(), 'ID of the user whose action it comes from.'),
  project_id: optional(Type.Integer(), 'ID of the project of the target.'),
  group_id: optional(Type.Integer(), 'ID of a group that has the project, in itself or in a subgroup.'),
  type: optional(
    OneOf(
      ...(['Issue', 'MergeRequest', 'Commit', 'Epic', 'Project', 'Namespace', 'WikiPage::Meta'] as const),
      ...(['DesignManagement::Design', 'AlertManagement::Alert', 'Vulnerability', 'Key'] as const),
    ),
    'Kind of the target.',
  ),
}

export const FilterTodos = Type.Object(filters)

export const ListTodos = Type.Object({
  ...filters,
  state: optional(OneOf('pending', 'done'), 'State; `pending` by default.'),
})
export type TodoFilter = Static<typeof ListTodos>

export const ById = Type.Object({ id: described(Type.Integer(), 'ID of the to-do item.') })

export const OfIssue = Type.Object({
  issue_iid: described(Type.Integer(), 'Number of the issue within its project.'),
})

export const OfMergeRequest = Type.Object({
  merge_request_iid: described(Type.Integer(), 'Number of the merge request within its project.'),
})

const TodoProject = Type.Object({
  id: described(Type.Integer(), 'ID of the project.'),
  name: described(Type.String(), 'Name.'),
  name_with_namespace: described(Type.String(), 'Name with those of its groups.'),
  path: described(Type.String(), 'Last part of its path.'),
  path_with_namespace: described(Type.String(), 'Full path.'),
})

/** API, G7. */
export const Todo = Type.Object({
  id: described(Type.Integer(), 'ID of the to-do item.'),
  project: described(TodoProject, 'Project of the target.'),
  author: described(PublicUser, 'User whose action it comes from.'),
  action_name: described(
    Type.String(),
    'What happened: `assigned`, `review_requested`, `mentioned`, `directly_addressed` or `marked`.',
  ),
  target_type: described(Type.String(), 'Kind of the target: `Issue` or `MergeRequest`.'),
  target: described(Type.Union([MergeRequest, Issue]), 'The issue or the merge request.'),
  target_url: described(Type.String(), 'URL of the page of the target.'),
  body: described(Type.String(), 'Title of the target.'),
  state: described(OneOf('pending', 'done'), 'State.'),
  created_at: described(Type.String(), 'Time of creation.'),
  updated_at: described(Type.String(), 'Time of the last change.'),
})
export type Todo = Static<typeof Todo>
