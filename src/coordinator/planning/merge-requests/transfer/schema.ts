import { type Static, Type } from 'typebox'

import { described, optional } from '../../../http/parameters/described.js'
import { DateTime, Nullable, OneOf } from '../../../http/parameters/types.js'
import { LabelNames, MAX_IID, Seconds } from '../../transfer/transferred-fields.js'
import { historyFields } from '../../transfer/transferred-history.js'
import { Username } from '../../transfer/transferred-people.js'
import { CreateMergeRequest, EditMergeRequest } from '../schema.js'

const Person = Nullable(Username)
const Time = Nullable(DateTime())
const Sha = Type.String({ pattern: '^[0-9a-f]{40}$' })
const Count = Type.Integer({ minimum: 0, maximum: 2_147_483_647 })
const Branch = Type.String({ minLength: 1, maxLength: 255 })
const MAX_PEOPLE = 200

const TransferredVersion = Type.Object({
  head_sha: described(Sha, 'Head of the source branch.'),
  base_sha: described(Sha, 'Merge base of the two branches.'),
  start_sha: described(Sha, 'Head of the target branch.'),
  commit_count: described(Count, 'Number of commits.'),
  file_count: described(Count, 'Number of changed files.'),
  pushed_by: optional(Person, 'Username of the user whose push made it; null if that is not known.'),
  created_at: described(DateTime(), 'Time of its creation.'),
})

const TransferredReviewer = Type.Object({
  user: described(Username, 'Username.'),
  state: described(
    OneOf('unreviewed', 'reviewed', 'requested_changes', 'approved', 'unapproved'),
    'State of the review.',
  ),
  created_at: described(DateTime(), 'Time at which the review was requested.'),
})

const TransferredApproval = Type.Object({
  user: described(Username, 'Username.'),
  created_at: described(DateTime(), 'Time of the approval.'),
})

const { title, description, squash, allow_collaboration } = CreateMergeRequest.properties

/** A merge request in an archive. */
export const TransferredMergeRequest = Type.Object({
  iid: described(Type.Integer({ minimum: 1, maximum: MAX_IID }), 'Number within the project.'),
  title,
  description,
  state: described(OneOf('opened', 'closed', 'merged'), 'State.'),
  source_branch: described(Branch, 'Branch that is merged.'),
  target_branch: described(Branch, 'Branch into which it is merged.'),
  from_other_project: optional(
    Type.Boolean(),
    'Whether the source branch belongs to another project, which is not in the archive.',
  ),
  labels: optional(LabelNames, 'Names of its labels.'),
  milestone: optional(Nullable(Type.String()), 'Title of the milestone.'),
  author: optional(Username, 'Username of the author.'),
  assignees: optional(Type.Array(Username, { maxItems: MAX_PEOPLE }), 'Usernames of the assignees.'),
  reviewers: optional(Type.Array(TransferredReviewer, { maxItems: MAX_PEOPLE }), 'Reviewers.'),
  approvals: optional(Type.Array(TransferredApproval, { maxItems: MAX_PEOPLE }), 'Approvals.'),
  discussion_locked: EditMergeRequest.properties.discussion_locked,
  squash,
  allow_collaboration,
  force_remove_source_branch: optional(
    Type.Boolean(),
    'Whether the author wants the source branch deleted after the merge.',
  ),
  should_remove_source_branch: optional(
    Nullable(Type.Boolean()),
    'Whether the user who merged it wanted that; null if nothing was said.',
  ),
  head_sha: optional(Nullable(Sha), 'Head of the source branch; null if it is not known.'),
  merge_status: optional(
    OneOf('unchecked', 'can_be_merged', 'cannot_be_merged'),
    'Whether it can be merged without conflicts, as of the last check.',
  ),
  merge_commit_sha: optional(Nullable(Sha), 'Commit of the merge.'),
  squash_commit_sha: optional(Nullable(Sha), 'Commit with all changes.'),
  merged_at: optional(Time, 'Time of the merge.'),
  merged_by: optional(Person, 'Username of the user who merged it; null if that is not known.'),
  merge_user: optional(Person, 'Username of the user who merged it, or asked for that.'),
  closed_at: optional(Time, 'Time at which it was closed.'),
  closed_by: optional(Person, 'Username of the user who closed it; null if that is not known.'),
  time_estimate: optional(Seconds, 'Estimated time, in seconds.'),
  total_time_spent: optional(Seconds, 'Time spent, in seconds.'),
  last_edited_at: optional(Time, 'Time of the last change of title or description.'),
  last_edited_by: optional(Person, 'Username of the user who made that change.'),
  prepared_at: optional(Time, 'Time at which the first version was stored.'),
  created_at: described(DateTime(), 'Time of creation.'),
  updated_at: described(DateTime(), 'Time of the last change.'),
  issues: optional(
    Type.Array(
      Type.Object({
        iid: described(Type.Integer({ minimum: 1, maximum: MAX_IID }), 'Number of the issue.'),
        closes: described(Type.Boolean(), 'Whether the merge closes it.'),
      }),
      { maxItems: 5000 },
    ),
    'Issues of the project that it names. Those that do not exist are left out.',
  ),
  versions: optional(Type.Array(TransferredVersion), 'Versions, the oldest first.'),
  ...historyFields,
})
export type TransferredMergeRequest = Static<typeof TransferredMergeRequest>
