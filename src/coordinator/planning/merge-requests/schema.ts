import { type Static, Type } from 'typebox'

import { described, optional } from '../../http/parameters/described.js'
import { Nullable, OneOf } from '../../http/parameters/types.js'
import { PublicUser } from '../../http/presenters/present-user.js'
import { MILESTONE_AND_LABELS, Names, TEXT_AND_ASSIGNEES, Title, UserIds } from '../planned-parameters.js'
import { Estimate, SpentTime } from '../time-tracking/time-tracking.js'

const Iid = described(Type.Integer(), 'Number of the merge request within its project.')
const Branch = Type.String({ minLength: 1 })

export const ByIid = Type.Object({ merge_request_iid: Iid })

export const GetMergeRequest = Type.Object({
  merge_request_iid: Iid,
  render_html: optional(Type.Boolean(), 'Whether to add title and description as HTML; false by default.'),
  include_diverged_commits_count: optional(
    Type.Boolean(),
    'Whether to add how many commits of the target branch the source branch lacks; false by default.',
  ),
  include_rebase_in_progress: optional(
    Type.Boolean(),
    'Whether to add whether it is being rebased; false by default.',
  ),
})
export type GetMergeRequest = Static<typeof GetMergeRequest>

const fields = {
  ...TEXT_AND_ASSIGNEES,
  reviewer_ids: optional(UserIds, 'IDs of the reviewers; empty or `0` for none.'),
  ...MILESTONE_AND_LABELS,
  remove_source_branch: optional(
    Nullable(Type.Boolean()),
    'Whether to delete the source branch after the merge; false by default.',
  ),
  squash: optional(
    Type.Boolean(),
    'Whether to make one commit of all; by default as the target project says, whose setting may decide alone.',
  ),
  allow_collaboration: optional(
    Type.Boolean(),
    'Whether members who may merge may push to the source branch of a fork.',
  ),
  allow_maintainer_to_push: optional(Type.Boolean(), 'Older name of `allow_collaboration`.'),
}

export const CreateMergeRequest = Type.Object({
  source_branch: described(Branch, 'Branch of the project of the path.'),
  target_branch: described(Branch, 'Branch of the target project.'),
  target_project_id: optional(
    Type.Integer(),
    'ID of the target project; by default the project of the path, which is that of the source branch.',
  ),
  title: described(Title, 'Title; `Draft:` in front marks a draft.'),
  ...fields,
})
export type CreateMergeRequest = Static<typeof CreateMergeRequest>

export const EditMergeRequest = Type.Object({
  merge_request_iid: Iid,
  title: optional(Title, 'Title; `Draft:` in front marks a draft.'),
  target_branch: optional(Branch, 'Branch into which it is merged.'),
  ...fields,
  add_labels: optional(Names, 'Names of labels to add to those that it has.'),
  remove_labels: optional(Names, 'Names of labels to take away.'),
  state_event: optional(OneOf('close', 'reopen'), 'Whether to close or to reopen the merge request.'),
  discussion_locked: optional(Nullable(Type.Boolean()), 'Whether only members may comment.'),
})
export type EditMergeRequest = Static<typeof EditMergeRequest>

export const SetEstimate = Type.Object({ merge_request_iid: Iid, duration: Estimate })

export const AddSpentTime = Type.Object({
  merge_request_iid: Iid,
  duration: SpentTime,
  summary: optional(Type.String(), 'What the time was spent on; ignored.'),
})

export const Reviewer = Type.Object({
  user: described(PublicUser, 'Reviewer.'),
  state: described(
    Type.String(),
    'State of the review: `unreviewed`, `reviewed`, `requested_changes`, `approved` or `unapproved`.',
  ),
  created_at: described(Type.String(), 'Time at which the review was asked for.'),
})

/** Parameters of which an update needs one. */
export const CHANGES = Object.keys(EditMergeRequest.properties).filter((name) => name !== 'merge_request_iid')
