import type { Project } from '../../access/caller.js'
import type { MergeRequestRow } from '../stores/merge-request-store.js'

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
  /** Of a merge that waits: `merge_train` = the merge train of its target branch merges it. */
  auto_merge_strategy?: 'merge_train' | undefined
}

/** The column `merge_params`: the options, and while the merge runs the commits that it has written. */
export interface MergeParams extends MergeOptions {
  merge_commit_sha?: string | undefined
  squash_commit_sha?: string | undefined
}

export function mergeParamsOf({ merge_params }: Pick<MergeRequestRow, 'merge_params'>): MergeParams {
  return merge_params === null ? {} : (JSON.parse(merge_params) as MergeParams)
}

/**
 * IDs of the users who want the source branch deleted after the merge: the one who merges it, if they say so, and the one
 * who has set it, unless the merge says otherwise. It is deleted if one of them may.
 */
export function removersOf(row: MergeRequestRow, mergeUserId: number | null): number[] {
  const wanted = mergeParamsOf(row).should_remove_source_branch
  const setBy = row.force_remove_source_branch && wanted !== false ? [row.remove_source_branch_by_id] : []
  const ids = [...setBy, ...(wanted ? [mergeUserId] : [])].filter((id) => id !== null)
  return [...new Set(ids)]
}
