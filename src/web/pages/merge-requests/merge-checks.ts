import type { ApprovalState } from '../../../coordinator/planning/merge-requests/approvals/rule-schema.js'
import type { Approvals } from '../../../coordinator/planning/merge-requests/approvals/schema.js'
import type { SingleMergeRequest } from '../../../coordinator/planning/merge-requests/record-schema.js'
import type { CheckOfMergeRequest } from '../../../coordinator/planning/merge-requests/status-checks/schema.js'

/** Something that a merge depends on. */
export interface MergeCheck {
  /** `failed`: somebody must do something. `waiting`: it is decided without anybody. */
  state: 'passed' | 'failed' | 'waiting'
  text: string
  /** What ends a check that has failed, and who may do that. */
  remedy?: string
  /** The merge does not depend on it: the project only shows it. */
  isOptional?: true
  /** ID of the status check that can be asked again. */
  retries?: number
}

/** What the project demands of a merge. */
export interface MergeDemands {
  merge_method: string
  only_allow_merge_if_pipeline_succeeds: boolean
  allow_merge_on_skipped_pipeline: boolean | null
  only_allow_merge_if_all_discussions_are_resolved: boolean
  only_allow_merge_if_all_status_checks_passed: boolean
  /** Merge requests are merged one after another, each tested on those before it. */
  merge_trains_enabled: boolean
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
  /** Undefined until they are read, and if there are none. */
  rules?: readonly ShownRule[] | undefined
  /** The checks of other systems; undefined until they are read, and for readers who may not see them. */
  statuses?: readonly Pick<CheckOfMergeRequest, 'id' | 'name' | 'status'>[] | undefined
}

type ShownUser = Pick<ApprovalState['approved_by'][number], 'name'>

type ShownRule = Pick<
  ApprovalState['rules'][number],
  'name' | 'rule_type' | 'section' | 'approvals_required' | 'approvals_left' | 'unsatisfiable'
> & {
  eligible_approvers: readonly ShownUser[]
  eligible_approvers_count: number
  approved_by: readonly ShownUser[]
}

/**
 * All that an open merge request needs before it is merged, those that somebody must act on first. The server decides by the
 * same facts and names the first reason alone, as `detailed_merge_status`.
 */
export function mergeChecks(facts: Facts): MergeCheck[] {
  const checks = [draft, branches, behind, pipeline, discussions, approval, statusChecks].flatMap(
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
    remedy: `Who may push to ${source} can resolve them below, or merge ${target} into it with git.`,
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

function approval({ approvals, rules }: Facts): MergeCheck | MergeCheck[] | undefined {
  const required = rules?.filter(({ approvals_required: count }) => count > 0) ?? []
  return required.length > 0 ? required.map(ruleCheck) : allApprovals(approvals)
}

function ruleCheck(rule: ShownRule): MergeCheck {
  const { approvals_required: required, approvals_left: left, approved_by: by } = rule
  const title = ruleTitle(rule)
  if (left === 0) {
    const names = by.map(({ name }) => name).join(', ')
    return { state: 'passed', text: names === '' ? `${title}: approved.` : `${title}: approved by ${names}.` }
  }
  return {
    state: 'failed',
    text: `${title}: ${left} of ${required} ${required === 1 ? 'approval is' : 'approvals are'} missing.`,
    remedy: rule.unsatisfiable
      ? 'Fewer people may approve than it requires. A maintainer can change the rule.'
      : whoMayApprove(rule),
  }
}

function ruleTitle({ rule_type: type, name, section }: ShownRule): string {
  if (type === 'any_approver') return 'Approvals'
  if (type === 'code_owner') return `Code owners of ${name}${section ? ` (${section})` : ''}`
  return name
}

/** Names are listed up to here. */
const MAX_NAMES = 5

function whoMayApprove({ rule_type: type, ...rule }: ShownRule): string {
  if (type === 'any_approver') return 'Developers other than its author can approve it.'
  const names = rule.eligible_approvers
    .filter(({ name }) => !rule.approved_by.some((user) => user.name === name))
    .slice(0, MAX_NAMES)
    .map(({ name }) => name)
  const more = rule.eligible_approvers_count - rule.approved_by.length - names.length
  return `${[...names, ...(more > 0 ? [`${more} more`] : [])].join(', ')} can approve it.`
}

function statusChecks({ statuses = [], demands }: Facts): MergeCheck[] {
  const isOptional = !demands.only_allow_merge_if_all_status_checks_passed
  return statuses.map(({ id, name, status }): MergeCheck => {
    if (status === 'passed') return { state: 'passed', text: `Status check ${name} has passed.` }
    const optional = isOptional && { isOptional }
    if (status === 'pending')
      return {
        state: 'waiting',
        text: `Status check ${name} has not answered.`,
        remedy: isOptional ? 'The merge does not need it.' : 'Its service answers over the API.',
        ...optional,
      }
    return {
      state: 'failed',
      text: `Status check ${name} has failed.`,
      remedy: isOptional ? 'The merge does not need it.' : 'A push starts it again, and so can developers.',
      retries: id,
      ...optional,
    }
  })
}

function allApprovals(approvals: Facts['approvals']): MergeCheck | undefined {
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
