import type { Project } from '../../access/caller.js'
import type { MergeRequestRow } from '../../hosting/merge-request-store.js'

/** What an automatic merge was asked for, besides the head of the source branch, which is the option `sha`. */
export type MergeTerms = {
  source_project_id: number | null
  source_branch: string
  target_branch: string
  merge_method: Project['merge_method']
  squash: boolean
  removes_source_branch: boolean
}

/** What a user wants of a merge; the names are those of the API (API, F4). */
export interface MergeOptions {
  merge_commit_message?: string | undefined
  squash_commit_message?: string | undefined
  squash?: boolean | undefined
  should_remove_source_branch?: boolean | undefined
  /** Expected head of the source branch. */
  sha?: string | undefined
  /** Of a merge that waits for its pipeline: what it was asked for. */
  given_for?: MergeTerms | undefined
}

/** The column `merge_params`: the options, and while the merge runs the commits that it has written. */
export interface MergeParams extends MergeOptions {
  merge_commit_sha?: string | undefined
  squash_commit_sha?: string | undefined
}

export function mergeParamsOf({ merge_params }: Pick<MergeRequestRow, 'merge_params'>): MergeParams {
  return merge_params === null ? {} : (JSON.parse(merge_params) as MergeParams)
}

/** Whether the source branch is deleted after the merge: the wish of the merging user, or of the author. */
export function deletesSourceBranch(row: MergeRequestRow): boolean {
  return mergeParamsOf(row).should_remove_source_branch ?? row.force_remove_source_branch
}
