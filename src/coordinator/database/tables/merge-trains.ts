import type { Default, Id, Timestamp } from '../columns.js'

/** The merge requests of one target branch that are merged one after another. */
export interface MergeTrainTable {
  id: Id
  project_id: number
  /** Short name. */
  target_branch: string
  /** Counts how often the train has begun: an empty train begins a new run with the next merge request. */
  run: Default<number>
  /** Changes with whatever may let the train go on. */
  generation: Default<number>
  /** The generation for which everything was done; another one = there may be something to do. */
  planned_generation: Default<number>
  /** End of the claim of a worker; null = unclaimed. */
  claimed_until: Timestamp | null
  created_at: Timestamp
}

/**
 * `active`: in the train; `merged`: by the train; `skip_merged`: by a user, without the train; `dropped`: it conflicts, or its
 * pipeline has failed; `left`: for another reason, such as a push to its branch.
 */
export type MergeTrainCarState = 'active' | 'merged' | 'skip_merged' | 'dropped' | 'left'

/** A merge request in a train. */
export interface MergeTrainCarTable {
  id: Id
  train_id: number
  run: number
  merge_request_id: number
  /** The user who has added it; null = they were deleted. */
  user_id: number | null
  state: Default<MergeTrainCarState>
  /** Head of the source branch that was added. */
  head_sha: string
  /** The commit on which it was merged last: the target branch, or the result of the car before; null = never. */
  parent_sha: string | null
  /** The result; null with a parent = it conflicts. */
  commit_sha: string | null
  /** The commits of the merge, as those of a merge request. */
  merge_commit_sha: string | null
  squash_commit_sha: string | null
  /** The pipeline with which it was merged; null = it was not, or the pipeline was deleted. */
  pipeline_id: number | null
  created_at: Timestamp
  updated_at: Timestamp
  merged_at: Timestamp | null
}

/**
 * `open`: its result decides; `canceled`: the train has canceled it, because a shorter one has failed; `spent`: its car was
 * merged or dropped; `lost`: something outside of the train has undone it.
 */
export type MergeTrainTestState = 'open' | 'canceled' | 'spent' | 'lost'

/** A pipeline for the result of a car, which tests this car and those before it. */
export interface MergeTrainTestTable {
  id: Id
  train_id: number
  run: number
  /** The last car that it tests. */
  car_id: number
  commit_sha: string
  /** Null = not created yet, refused, or deleted. */
  pipeline_id: number | null
  /** Why it was refused. */
  refusal: string | null
  state: Default<MergeTrainTestState>
  created_at: Timestamp
}
