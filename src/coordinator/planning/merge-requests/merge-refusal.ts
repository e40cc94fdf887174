import type { Project } from '../../access/caller.js'
import type { CompositeStatus } from '../../database/tables/pipelines.js'
import type { MergeRequestRow } from '../stores/merge-request-store.js'

/** Why a merge request must not be merged now, although its branches could be. */
export type MergeRefusal =
  | 'locked'
  | 'not_open'
  | 'draft_status'
  | 'discussions_not_resolved'
  | 'ci_must_pass'
  | 'ci_still_running'
  | 'not_approved'
  | 'status_checks_must_pass'

export interface MergeFacts {
  row: Pick<MergeRequestRow, 'state' | 'draft'>
  project: Pick<
    Project,
    | 'only_allow_merge_if_pipeline_succeeds'
    | 'allow_merge_on_skipped_pipeline'
    | 'only_allow_merge_if_all_discussions_are_resolved'
    | 'only_allow_merge_if_all_status_checks_passed'
  >
  /** Status of the head pipeline; undefined without one. */
  pipeline: CompositeStatus | undefined
  hasUnresolvedDiscussions: boolean
  /** Whether a rule lacks approvals. */
  isUnapproved: boolean
  /** Whether an external status check has not passed for the head. */
  isUnchecked: boolean
}

/** The first reason, in the order of `detailed_merge_status` (API, F3); undefined if there is none. */
export function mergeRefusal(facts: MergeFacts): MergeRefusal | undefined {
  const { row, project, pipeline } = facts
  if (row.state === 'locked') return 'locked'
  if (row.state !== 'opened') return 'not_open'
  if (row.draft) return 'draft_status'
  if (project.only_allow_merge_if_all_discussions_are_resolved && facts.hasUnresolvedDiscussions) {
    return 'discussions_not_resolved'
  }
  const missing = missingPipeline(pipeline, project)
  if (missing) return missing
  if (facts.isUnapproved) return 'not_approved'
  const mustPass = project.only_allow_merge_if_all_status_checks_passed
  return mustPass && facts.isUnchecked ? 'status_checks_must_pass' : undefined
}

/** What the project demands of the head pipeline, and is not the case. */
export function missingPipeline(
  pipeline: CompositeStatus | undefined,
  project: Pick<Project, 'only_allow_merge_if_pipeline_succeeds' | 'allow_merge_on_skipped_pipeline'>,
): 'ci_must_pass' | 'ci_still_running' | undefined {
  if (!project.only_allow_merge_if_pipeline_succeeds || isPassed(pipeline, project)) return undefined
  return isActive(pipeline) ? 'ci_still_running' : 'ci_must_pass'
}

/** Whether a merge that waits for the pipeline may start. */
function isPassed(
  pipeline: CompositeStatus | undefined,
  project: Pick<Project, 'allow_merge_on_skipped_pipeline'>,
): boolean {
  return pipeline === 'success' || (pipeline === 'skipped' && project.allow_merge_on_skipped_pipeline)
}

const ACTIVE = new Set<CompositeStatus>([
  'created',
  'waiting_for_resource',
  'pending',
  'running',
  'scheduled',
])

/** Whether the pipeline goes on by itself, so that a merge may wait for it. */
export function isActive(pipeline: CompositeStatus | undefined): boolean {
  return pipeline !== undefined && ACTIVE.has(pipeline)
}
