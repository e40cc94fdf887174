import type { Project } from '../../access/caller.js'
import { changedTerm } from '../../intentions/terms.js'
import type { MergeRequestRow } from '../stores/merge-request-store.js'
import { type MergeOptions, mergeParamsOf, type MergeTerms } from './merge-params.js'
import { squashOf } from './metadata.js'

export type MergeSettings = Pick<Project, 'merge_method' | 'squash_option'>

/** What a merge with these options does at this moment. */
export function mergeTerms(row: MergeRequestRow, project: MergeSettings, options: MergeOptions): MergeTerms {
  return {
    source_project_id: row.source_project_id,
    source_branch: row.source_branch,
    target_branch: row.target_branch,
    merge_method: project.merge_method,
    squash: squashOf(project, options.squash ?? row.squash),
    removes_source_branch: options.should_remove_source_branch ?? row.force_remove_source_branch,
  }
}

/** What was changed since the automatic merge was asked for, as the end of a sentence; undefined = nothing. */
export function changedSinceAsked(row: MergeRequestRow, project: MergeSettings): string | undefined {
  const options = mergeParamsOf(row)
  const term = changedTerm<MergeTerms>(options.given_for ?? {}, mergeTerms(row, project, options))
  return term === undefined ? undefined : CHANGES[term]
}

/** Whether a merge request waits for the merge that was asked for when it was read. */
export function isSameWait(row: MergeRequestRow, seen: MergeRequestRow): boolean {
  const [now, then] = [mergeParamsOf(row), mergeParamsOf(seen)]
  if (!row.merge_when_pipeline_succeeds || row.merge_user_id !== seen.merge_user_id) return false
  return now.sha === then.sha && JSON.stringify(now.given_for) === JSON.stringify(then.given_for)
}

const CHANGES: Record<keyof MergeTerms, string> = {
  source_project_id: 'the source project was changed',
  source_branch: 'the source branch was changed',
  target_branch: 'the target branch was changed',
  merge_method: 'the merge method was changed',
  squash: 'squashing was changed',
  removes_source_branch: 'the removal of the source branch was changed',
}

/** The columns of a merge request that does not wait any more. */
export const ENDED_WAIT = { merge_when_pipeline_succeeds: false, merge_user_id: null, merge_params: null }

export const WAS_CLOSED = 'it was closed'

/** Why the change of a merge request ends its wait, as the end of a sentence; undefined if it does not. */
export function endOfWait(
  before: MergeRequestRow,
  row: MergeRequestRow,
  project: MergeSettings,
): string | undefined {
  if (!before.merge_when_pipeline_succeeds) return undefined
  if (row.state === 'closed') return WAS_CLOSED
  if (row.draft && !before.draft) return 'the merge request was marked as a draft'
  return changedSinceAsked(row, project)
}
