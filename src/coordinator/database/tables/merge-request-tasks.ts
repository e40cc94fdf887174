import type { Default, Id, Json, Timestamp } from '../columns.js'

/**
 * `merge`: merge it if the head pipeline has succeeded; `rebase`: rebase the source branch;
 * `delete_source_branch`: delete the branch, after the merge; `stop_environments`: stop the environments that its
 * pipelines have deployed, after it was merged or closed.
 */
export type MergeRequestTaskKind = 'merge' | 'rebase' | 'delete_source_branch' | 'stop_environments'

export interface MergeRequestTaskParams {
  /** For `rebase`: whether the moved branch starts no pipeline. */
  skip_ci?: boolean
  /** For `delete_source_branch`: further users who want it. */
  other_user_ids?: number[]
}

/**
 * Work on a merge request in the background. The worker deletes the row unless `generation` has changed
 * since it read the row.
 */
export interface MergeRequestTaskTable {
  id: Id
  merge_request_id: number
  /** The target project. */
  project_id: number
  kind: MergeRequestTaskKind
  /** The user for whom it is done. */
  user_id: number
  params: Json<MergeRequestTaskParams>
  generation: Default<number>
  /** End of the claim of a worker; null = unclaimed. */
  claimed_until: Timestamp | null
  created_at: Timestamp
}
