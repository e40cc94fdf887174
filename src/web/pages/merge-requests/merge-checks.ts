import type { Approvals } from '../../../coordinator/planning/merge-requests/approvals/schema.js'
import type { SingleMergeRequest } from '../../../coordinator/planning/merge-requests/record-schema.js'

/** Something that a merge depends on. */
export interface MergeCheck {
  /** `failed`: somebody must do something. `waiting`: it is decided without anybody. */
  state: 'passed' | 'failed' | 'waiting'
  text: string
  /** What ends a check that has failed, and who may do that. */
  remedy?: string
}

/** What the project demands of a merge. */
export interface MergeDemands {
  merge_method: string
  only_allow_merge_if_pipeline_succeeds: boolean
  allow_merge_on_skipped_pipeline: boolean | null
  only_allow_merge_if_all_discussions_are_resolved: boolean
}

type Request = Pick<
  SingleMergeRequest,
  | 'draft'
  | 'merge_status'
  | 'detailed_merge_status'
  | 'source_branch'
  | 'target_branch'
  | 'source_project_id'
  | 'blocking_discussions_resolved'
  | 'diverged_commits_count'
> & { head_pipeline: { status: string } | null }

interface Facts {
  request: Request
  demands: MergeDemands
  approvals: Pick<Approvals, 'approvals_required' | 'approvals_left'> | undefined
}

/**
 * All that an open merge request needs before it is merged, those that somebody must act on first. The server decides by the
 * same facts and names the first reason alone, as `detailed_merge_status`.
 */
export function mergeChecks(facts: Facts): MergeCheck[] {
  const checks = [draft, branches, behind, pipeline, discussions, approval].flatMap(
    (check) => check(facts) ?? [],
  )
  const all = checks.some(({ state }) => state !== 'passed') ? checks : [...checks, ...unnamed(facts)]
  return all.toSorted((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state))
}

const ORDER = ['failed', 'waiting', 'passed']

function draft({ request }: Facts): MergeCheck | undefined {
  if (!request.draft) return undefined
  return {
    state: 'failed',
    text: 'It is a draft.',
    remedy: 'Its author, assignees and developers can mark it as ready.',
  }
}

function branches({ request }: Facts): MergeCheck {
  const { merge_status: status, source_branch: source, target_branch: target } = request
  if (request.source_project_id === null)
    return { state: 'failed', text: 'The project of the source branch was deleted.', remedy: 'Close it.' }
  if (status === 'can_be_merged') return { state: 'passed', text: 'The branches have no conflicts.' }
  if (status !== 'cannot_be_merged') return { state: 'waiting', text: 'The branches are being checked.' }
  return {
    state: 'failed',
    text: 'The branches have conflicts.',
    remedy: `Who may push to ${source} can merge ${target} into it, and resolve them.`,
  }
}

function behind({ request, demands }: Facts): MergeCheck | undefined {
  const count = request.diverged_commits_count ?? 0
  if (demands.merge_method === 'merge' || count === 0) return undefined
  return {
    state: 'failed',
    text: `The source branch lacks ${count === 1 ? 'one commit' : `${count} commits`} of ${request.target_branch}.`,
    remedy: `Who may push to ${request.source_branch} can rebase it.`,
  }
}

const ACTIVE = ['created', 'waiting_for_resource', 'preparing', 'pending', 'running', 'scheduled']

/** Whether a pipeline continues by itself; undefined: there is none. */
export function isActive(status: string | undefined): boolean {
  return status !== undefined && ACTIVE.includes(status)
}

function pipeline({ request, demands }: Facts): MergeCheck | undefined {
  if (!demands.only_allow_merge_if_pipeline_succeeds) return undefined
  const status = request.head_pipeline?.status
  if (status === 'success' || (status === 'skipped' && demands.allow_merge_on_skipped_pipeline))
    return { state: 'passed', text: 'The pipeline has passed.' }
  if (isActive(status)) return { state: 'waiting', text: 'The pipeline must pass. It has not ended.' }
  return {
    state: 'failed',
    text: status === undefined ? 'A pipeline must pass. There is none.' : 'The pipeline must pass.',
    remedy: 'Developers can push a fix, retry jobs, or run a pipeline.',
  }
}

function discussions({ request, demands }: Facts): MergeCheck | undefined {
  if (!demands.only_allow_merge_if_all_discussions_are_resolved) return undefined
  if (request.blocking_discussions_resolved) return { state: 'passed', text: 'All threads are resolved.' }
  return {
    state: 'failed',
    text: 'All threads must be resolved.',
    remedy: 'Its author and developers can resolve them.',
  }
}

function approval({ approvals }: Facts): MergeCheck | undefined {
  if (!approvals || approvals.approvals_required === 0) return undefined
  const { approvals_left: left, approvals_required: required } = approvals
  if (left === 0)
    return { state: 'passed', text: required === 1 ? 'It is approved.' : `It has ${required} approvals.` }
  return {
    state: 'failed',
    text: `${left} of ${required} ${required === 1 ? 'approval is' : 'approvals are'} missing.`,
    remedy: 'Developers other than its author can approve it.',
  }
}

/** What no check above has found, by the words of the server. */
function unnamed({ request }: Facts): MergeCheck[] {
  const { detailed_merge_status: status } = request
  if (status === 'mergeable' || status === 'not_open') return []
  if (status === 'requested_changes')
    return [
      { state: 'failed', text: 'A reviewer has requested changes.', remedy: 'The reviewer can approve it.' },
    ]
  return [{ state: 'waiting', text: `The server says: ${status.replaceAll('_', ' ')}.` }]
}
