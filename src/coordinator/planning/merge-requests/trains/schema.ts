import { type Static, Type } from 'typebox'

import { described, optional } from '../../../http/parameters/described.js'
import { Nullable, OneOf } from '../../../http/parameters/types.js'
import { PipelineBrief } from '../../../http/presenters/present-pipeline.js'
import { PublicUser } from '../../../http/presenters/present-user.js'
import { ByIid } from '../schema.js'

const list = {
  scope: optional(
    OneOf('active', 'complete'),
    '`active` for the merge requests that are in a train, `complete` for those that were merged; all by default.',
  ),
  sort: optional(OneOf('asc', 'desc'), 'Order by when they were added; `desc` by default.'),
}

export const ListCars = Type.Object(list)
export const ListCarsOfBranch = Type.Object({
  target_branch: described(Type.String({ minLength: 1 }), 'Target branch of the train.'),
  ...list,
})
export type ListCars = Static<typeof ListCars>

export const AddCar = Type.Object({
  ...ByIid.properties,
  auto_merge: optional(
    Type.Boolean(),
    'Whether to add it when its pipeline has succeeded, if that is running; false by default.',
  ),
  when_pipeline_succeeds: optional(Type.Boolean(), 'Older name of `auto_merge`.'),
  sha: optional(Type.String(), 'Expected head of the source branch; with another head, nothing is added.'),
  squash: optional(
    Type.Boolean(),
    'Whether to make one commit of all; by default as the merge request says. The setting of the project may decide alone.',
  ),
})

const MergeRequestInTrain = Type.Object({
  id: described(Type.Integer(), 'Number of the merge request.'),
  iid: described(Type.Integer(), 'Number of the merge request within its project.'),
  project_id: described(Type.Integer(), 'Number of the target project.'),
  title: described(Type.String(), 'Title.'),
  description: described(Nullable(Type.String()), 'Description in Markdown; null if there is none.'),
  state: described(Type.String(), 'State: `opened`, `closed`, `locked` or `merged`.'),
  created_at: described(Type.String(), 'When it was created: ISO 8601, UTC.'),
  updated_at: described(Type.String(), 'When it last changed: ISO 8601, UTC.'),
  web_url: described(Type.String(), 'Address of its page.'),
})

export const MergeTrainCar = Type.Object({
  id: described(Type.Integer(), 'Number of the entry.'),
  merge_request: described(MergeRequestInTrain, 'The merge request.'),
  user: described(Nullable(PublicUser), 'The user who has added it; null if they were deleted.'),
  pipeline: described(
    Nullable(PipelineBrief),
    'The latest pipeline that tests it, maybe together with merge requests behind it; null if there is none, or it is hidden.',
  ),
  created_at: described(Type.String(), 'When it was added: ISO 8601, UTC.'),
  updated_at: described(Type.String(), 'When the entry last changed: ISO 8601, UTC.'),
  target_branch: described(Type.String(), 'Target branch of the train.'),
  status: described(
    OneOf('idle', 'stale', 'fresh', 'merging', 'merged', 'skip_merged'),
    'Status: `idle` without a pipeline; `fresh` if one tests it on top of those before it; `stale` if its pipeline has tested something else; `skip_merged` if a user has merged it without the train.',
  ),
  merged_at: described(Nullable(Type.String()), 'When it was merged: ISO 8601, UTC; null if it was not.'),
  duration: described(
    Nullable(Type.Integer()),
    'Time in the train until it was merged, in seconds; null if it was not.',
  ),
})
export type MergeTrainCar = Static<typeof MergeTrainCar>
