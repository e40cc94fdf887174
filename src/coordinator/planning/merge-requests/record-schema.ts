import { type Static, Type } from 'typebox'

import { Pipeline } from '../../ci/pipelines/schema.js'
import { described, flag } from '../../http/parameters/described.js'
import { Nullable, NullableText, OneOf } from '../../http/parameters/types.js'
import { Milestone } from '../../http/presenters/present-milestone.js'
import { PipelineBrief } from '../../http/presenters/present-pipeline.js'
import { PublicUser } from '../../http/presenters/present-user.js'
import { LabelDetails } from '../labels/label-details.js'
import { TimeStats } from '../time-tracking/time-tracking.js'
import { DETAILED_STATUSES } from './detailed-status.js'

const NullableUser = Nullable(PublicUser)

/** The least that a list tells of a merge request, with `view=simple` (API, F4). */
export const SimpleMergeRequest = Type.Object({
  id: described(Type.Integer(), 'ID of the merge request.'),
  iid: described(Type.Integer(), 'Number of the merge request within its project.'),
  project_id: described(Type.Integer(), 'ID of the target project.'),
  title: described(Type.String(), 'Title.'),
  description: described(NullableText, 'Description in Markdown; null if there is none.'),
  state: described(OneOf('opened', 'closed', 'locked', 'merged'), 'State.'),
  created_at: described(Type.String(), 'Time of creation.'),
  updated_at: described(Type.String(), 'Time of the last change.'),
  web_url: described(Type.String(), 'URL of the merge request page.'),
})
export type SimpleMergeRequest = Static<typeof SimpleMergeRequest>

const people = {
  merged_by: described(NullableUser, 'User who merged it; null if it is not merged.'),
  merge_user: described(
    NullableUser,
    'User who merged it, or who has asked for it to be merged when the pipeline succeeds; null if there is none.',
  ),
  closed_by: described(NullableUser, 'User who closed it; null if it is not closed.'),
  author: described(NullableUser, 'Author.'),
  assignees: described(Type.Array(PublicUser), 'Assignees.'),
  assignee: described(NullableUser, 'First assignee; null if there is none.'),
  reviewers: described(Type.Array(PublicUser), 'Reviewers.'),
}

const branches = {
  target_branch: described(Type.String(), 'Branch into which it is merged.'),
  source_branch: described(Type.String(), 'Branch that is merged.'),
  source_project_id: described(
    Nullable(Type.Integer()),
    'ID of the project of the source branch; null if it was deleted.',
  ),
  target_project_id: described(Type.Integer(), 'ID of the target project.'),
  sha: described(NullableText, 'Head of the source branch; null if it is not known yet.'),
  merge_commit_sha: described(NullableText, 'Merge commit; null if there is none.'),
  squash_commit_sha: described(NullableText, 'Commit that squashes the others; null if there is none.'),
  allow_collaboration: flag('Whether members who may merge may push to the source branch of a fork.'),
  allow_maintainer_to_push: flag('The same as `allow_collaboration`.'),
}

const merging = {
  merged_at: described(NullableText, 'Time of the merge; null if it is not merged.'),
  closed_at: described(NullableText, 'Time at which it was closed; null if it is not closed.'),
  prepared_at: described(NullableText, 'Time at which its changes were first known; null before.'),
  merge_after: described(NullableText, 'Earliest time of the merge; always null.'),
  merge_when_pipeline_succeeds: flag('Whether it is merged when its pipeline succeeds.'),
  merge_status: described(
    OneOf('unchecked', 'checking', 'can_be_merged', 'cannot_be_merged'),
    'Whether the branches can be merged without conflicts.',
  ),
  detailed_merge_status: described(
    OneOf(...DETAILED_STATUSES),
    'First reason for which it cannot be merged now, or `mergeable`.',
  ),
  has_conflicts: flag('Whether the branches have conflicts.'),
  blocking_discussions_resolved: flag('Whether no open discussion prevents the merge.'),
  should_remove_source_branch: described(
    Nullable(Type.Boolean()),
    'Whether the user who merges it wants the source branch to be deleted; null if nothing was said.',
  ),
  force_remove_source_branch: flag(
    'Whether its author wants the source branch to be deleted after the merge.',
  ),
  squash: flag('Whether its commits are wanted as one commit.'),
  squash_on_merge: flag('Whether its commits become one commit, by `squash` and the setting of the project.'),
  approvals_before_merge: described(
    Nullable(Type.Integer()),
    'Number of approvals of its own; always null: the number of the project applies.',
  ),
}

/** API, F3. */
export const MergeRequest = Type.Object({
  ...SimpleMergeRequest.properties,
  ...people,
  ...branches,
  ...merging,
  labels: described(Type.Array(Type.String()), 'Names of the labels, in their order.'),
  milestone: described(Nullable(Milestone), 'Milestone; null if there is none.'),
  draft: flag('Whether the title marks it as a draft.'),
  work_in_progress: flag('The same as `draft`.'),
  user_notes_count: described(Type.Integer(), 'Number of comments.'),
  upvotes: described(Type.Integer(), 'Number of approving emoji.'),
  downvotes: described(Type.Integer(), 'Number of disapproving emoji.'),
  discussion_locked: described(
    Nullable(Type.Boolean()),
    'Whether only members may comment; null if it was never set.',
  ),
  reference: described(Type.String(), 'Reference within the project: `!5`.'),
  references: described(
    Type.Object({
      short: described(Type.String(), 'Reference within the project: `!5`.'),
      relative: described(Type.String(), 'Reference from the place that was asked: `!5` or `app!5`.'),
      full: described(Type.String(), 'Reference from everywhere: `group/app!5`.'),
    }),
    'Texts that refer to the merge request.',
  ),
  time_stats: described(TimeStats, 'Estimated time and time spent.'),
  task_completion_status: described(
    Type.Object({
      count: described(Type.Integer(), 'Number of tasks in the description.'),
      completed_count: described(Type.Integer(), 'Number of completed tasks.'),
    }),
    'Tasks in the description.',
  ),
  imported: flag('Whether it was imported; always false.'),
  imported_from: described(Type.String(), 'Service from which it was imported; always `none`.'),
  title_html: described(Type.Optional(Type.String()), 'Title as HTML; only with `render_html`.'),
  description_html: described(Type.Optional(Type.String()), 'Description as HTML; only with `render_html`.'),
})
export type MergeRequest = Static<typeof MergeRequest>

/** What lists tell beside the record itself. */
const progress = {
  subscribed: flag('Whether the caller gets notifications about it.'),
  changes_count: described(
    NullableText,
    'Number of changed files; null if it is not known yet. `1000+` for more than 1,000.',
  ),
  diff_refs: described(
    Nullable(
      Type.Object({
        base_sha: described(Type.String(), 'Merge base of the branches.'),
        head_sha: described(Type.String(), 'Head of the source branch.'),
        start_sha: described(Type.String(), 'Head of the target branch.'),
      }),
    ),
    'Commits between which the changes are; null if they are not known yet.',
  ),
  latest_build_started_at: described(
    NullableText,
    'Time at which the head pipeline has started; null if it has not, or the caller may not see it.',
  ),
  latest_build_finished_at: described(
    NullableText,
    'Time at which the head pipeline has ended; null if it has not, or the caller may not see it.',
  ),
  first_deployed_to_production_at: described(
    NullableText,
    'Time of the first deployment to an environment of the tier `production`; null if there was none, or the caller may ' +
      'not see it.',
  ),
  pipeline: described(
    Nullable(PipelineBrief),
    'Latest pipeline for its head, in short; null if there is none, or the caller may not see it.',
  ),
  merge_error: described(NullableText, 'Why the last merge or rebase failed; null if it did not.'),
}

/** The record of a merge request in a list. */
export const ListedMergeRequest = Type.Object({
  ...MergeRequest.properties,
  ...progress,
  labels: described(
    Type.Union([Type.Array(Type.String()), Type.Array(LabelDetails)]),
    'Names of the labels, in their order; with `with_labels_details`, the labels themselves.',
  ),
})
export type ListedMergeRequest = Static<typeof ListedMergeRequest>

/** The record of one merge request alone. */
export const SingleMergeRequest = Type.Object({
  ...MergeRequest.properties,
  ...progress,
  head_pipeline: described(
    Nullable(Pipeline),
    'Latest pipeline for its head; null if there is none, or the caller may not see it.',
  ),
  first_contribution: flag('Whether its author is no member of the project and had nothing merged in it.'),
  user: described(
    Type.Object({ can_merge: flag('Whether the caller may merge it into the target branch.') }),
    'What the caller may do.',
  ),
  diverged_commits_count: described(
    Type.Optional(Type.Integer()),
    'Number of commits of the target branch that the source branch lacks; only with `include_diverged_commits_count`.',
  ),
  rebase_in_progress: described(
    Type.Optional(Type.Boolean()),
    'Whether it is being rebased; only with `include_rebase_in_progress`.',
  ),
})
export type SingleMergeRequest = Static<typeof SingleMergeRequest>
