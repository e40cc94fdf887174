import type { Project } from '../../access/caller.js'
import { findHeadPipelines } from '../../ci/engine/merge-requests/head-pipelines.js'
import type { Database } from '../../database/connect.js'
import { unresolvedAmong } from '../../hosting/note-store.js'
import {
  latestVersionsOf,
  type MergeRequestRow,
  type ReviewerRow,
  type VersionRow,
} from '../stores/merge-request-store.js'
import { uncheckedAmong } from '../stores/status-check-store.js'
import { approvalStates } from './approval-rules/approval-states.js'
import { isApproved } from './approval-rules/rule-states.js'
import type { StatusFacts } from './detailed-status.js'
import { missingPipeline } from './merge-refusal.js'

/** The facts of a merge request that is not open: they do not count. */
export const NO_FACTS: StatusFacts = {
  hasUnresolvedDiscussions: false,
  needsRebase: false,
  isUnapproved: false,
  hasRequestedChanges: false,
  isUnchecked: false,
}

/** The target projects of merge requests by ID. */
export async function targetProjectsOf(
  database: Database,
  rows: readonly MergeRequestRow[],
): Promise<Map<number, Project>> {
  const ids = [...new Set(rows.map(({ project_id }) => project_id))]
  if (ids.length === 0) return new Map()
  const projects = await database.selectFrom('project').selectAll().where('id', 'in', ids).execute()
  return new Map(projects.map((project) => [project.id, project]))
}

/** What the detailed status of merge requests depends on, by ID; in a few queries for all of them. */
export async function statusFactsOf(
  database: Database,
  rows: readonly MergeRequestRow[],
  { projects, reviewers }: { projects: Map<number, Project>; reviewers: Map<number, ReviewerRow[]> },
): Promise<Map<number, StatusFacts>> {
  // The facts of the others do not count.
  const open = rows.filter(({ state }) => state === 'opened')
  const projectOf = ({ project_id }: MergeRequestRow) => projects.get(project_id)
  const approvals = await approvalStates(
    database,
    open.flatMap((row) => {
      const project = projectOf(row)
      return project ? [{ row, project }] : []
    }),
  )
  const versions = await latestVersionsOf(
    database,
    open.filter((row) => projectOf(row)?.merge_method !== 'merge').map(({ id }) => id),
  )
  const pipelines = await findHeadPipelines(
    database,
    open.filter((row) => projectOf(row)?.only_allow_merge_if_pipeline_succeeds).map(({ id }) => id),
  )
  const missing = (row: MergeRequestRow) => {
    const project = projectOf(row)
    return project && missingPipeline(pipelines.get(row.id)?.status, project)
  }
  const unresolved = await unresolvedAmong(
    database,
    open
      .filter((row) => projectOf(row)?.only_allow_merge_if_all_discussions_are_resolved)
      .map(({ id }) => id),
  )
  const unchecked = await uncheckedAmong(
    database,
    open.filter((row) => projectOf(row)?.only_allow_merge_if_all_status_checks_passed),
  )
  return new Map(
    open.map((row) => [
      row.id,
      {
        pipeline: missing(row),
        hasUnresolvedDiscussions: unresolved.has(row.id),
        needsRebase: isBehind(row, versions.get(row.id)),
        isUnapproved: !isApproved(approvals.get(row.id) ?? []),
        hasRequestedChanges: (reviewers.get(row.id) ?? []).some(({ state }) => state === 'requested_changes'),
        isUnchecked: unchecked.has(row.id),
      },
    ]),
  )
}

/** Whether the target branch has commits that the source branch has not, as of the last check. */
function isBehind({ checked_target_sha }: MergeRequestRow, version: VersionRow | undefined): boolean {
  return version !== undefined && checked_target_sha !== null && version.base_sha !== checked_target_sha
}
