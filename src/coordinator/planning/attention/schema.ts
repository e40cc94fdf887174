import { type Static, Type } from 'typebox'

import { PipelineAttention, ProjectBrief } from '../../ci/pipelines/everywhere/schema.js'
import { described } from '../../http/parameters/described.js'
import { Nullable, OneOf } from '../../http/parameters/types.js'
import { PublicUser } from '../../http/presenters/present-user.js'

const planned = {
  title: described(Type.String(), 'Title'),
  reference: described(Type.String(), 'Full reference, such as `group/app!12`'),
  web_url: described(Type.String(), 'Address of its page'),
  project: described(ProjectBrief, 'Project'),
}

/** A merge request whose review was asked of the caller. */
export const WantedReview = Type.Object({
  id: described(Type.Integer(), 'ID of the merge request'),
  ...planned,
  author: described(Nullable(PublicUser), 'Author; null if the account was deleted'),
  requested_at: described(Type.String(), 'Time at which the review was asked for'),
})
export type WantedReview = Static<typeof WantedReview>

/** An open merge request of the caller that cannot be merged. */
export const StuckMergeRequest = Type.Object({
  id: described(Type.Integer(), 'ID of the merge request'),
  ...planned,
  reason: described(
    OneOf('pipeline_failed', 'conflicts'),
    'Why: its head pipeline failed, or its branches have conflicts',
  ),
  pipeline_id: described(Nullable(Type.Integer()), 'ID of the pipeline that failed; null for conflicts'),
})
export type StuckMergeRequest = Static<typeof StuckMergeRequest>

/** A pending to-do item of the caller. */
export const PendingTodo = Type.Object({
  id: described(Type.Integer(), 'ID of the to-do item'),
  ...planned,
  action_name: described(Type.String(), 'What happened, as in `GET /todos`'),
  target_type: described(OneOf('Issue', 'MergeRequest'), 'Kind of the target'),
  author: described(PublicUser, 'User whose action it comes from'),
  created_at: described(Type.String(), 'Time of creation'),
})
export type PendingTodo = Static<typeof PendingTodo>

/** Objects that wait for the caller; each list has at most 20 entries. */
export const Attention = Type.Object({
  ...PipelineAttention.properties,
  reviews: Type.Array(WantedReview, {
    description:
      'Open merge requests that the caller was asked to review and has not reviewed, without drafts',
  }),
  merge_requests: Type.Array(StuckMergeRequest, {
    description: 'Open merge requests of the caller whose pipeline failed, or with conflicts',
  }),
  todos: Type.Array(PendingTodo, {
    description: 'The newest pending to-do items, without those that the other lists show',
  }),
})
export type Attention = Static<typeof Attention>
