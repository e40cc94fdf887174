import type { DiscussedKind } from './discussed-kind.js'

interface QuickAction {
  name: string
  /** What it does. */
  does: string
  /** What follows the name, such as `@user`. */
  takes?: string
  /** The kind of records that have it; both without one. */
  only?: DiscussedKind
}

/** The quick actions of comments and descriptions, without those that are other names of one. */
const QUICK_ACTIONS: readonly QuickAction[] = [
  { name: 'assign', does: 'Assign', takes: '@user' },
  { name: 'unassign', does: 'Remove assignees', takes: '@user' },
  { name: 'assign_reviewer', does: 'Ask for a review', takes: '@user', only: 'merge_requests' },
  { name: 'unassign_reviewer', does: 'Remove reviewers', takes: '@user', only: 'merge_requests' },
  { name: 'label', does: 'Add labels', takes: '~label' },
  { name: 'unlabel', does: 'Remove labels', takes: '~label' },
  { name: 'relabel', does: 'Replace all labels', takes: '~label' },
  { name: 'milestone', does: 'Set the milestone', takes: '%milestone' },
  { name: 'remove_milestone', does: 'Remove the milestone' },
  { name: 'close', does: 'Close' },
  { name: 'reopen', does: 'Reopen' },
  { name: 'title', does: 'Change the title', takes: 'title' },
  { name: 'due', does: 'Set the due date', takes: '2030-01-31, tomorrow', only: 'issues' },
  { name: 'remove_due_date', does: 'Remove the due date', only: 'issues' },
  { name: 'weight', does: 'Set the weight', takes: '1', only: 'issues' },
  { name: 'clear_weight', does: 'Remove the weight', only: 'issues' },
  { name: 'confidential', does: 'Make confidential', only: 'issues' },
  { name: 'estimate', does: 'Estimate the time', takes: '1d 4h' },
  { name: 'remove_estimate', does: 'Remove the estimate' },
  { name: 'spend', does: 'Record time spent', takes: '2h 30m' },
  { name: 'remove_time_spent', does: 'Remove all time spent' },
  { name: 'lock', does: 'Let only members comment' },
  { name: 'unlock', does: 'Let everyone comment' },
  { name: 'subscribe', does: 'Get notifications' },
  { name: 'unsubscribe', does: 'Stop notifications' },
  { name: 'todo', does: 'Add a to-do item' },
  { name: 'done', does: 'Mark the to-do item as done' },
  { name: 'draft', does: 'Mark as a draft', only: 'merge_requests' },
  { name: 'ready', does: 'Mark as ready', only: 'merge_requests' },
  { name: 'target_branch', does: 'Change the target branch', takes: 'branch', only: 'merge_requests' },
  { name: 'approve', does: 'Approve', only: 'merge_requests' },
  { name: 'unapprove', does: 'Take the approval back', only: 'merge_requests' },
  { name: 'rebase', does: 'Rebase the source branch', only: 'merge_requests' },
  { name: 'merge', does: 'Merge, after the pipeline if there is one', only: 'merge_requests' },
]

/** Quick actions of a kind of records whose names begin with a text, then those that contain it. Snippets and epics have none. */
export function quickActions(kind: DiscussedKind, text: string): QuickAction[] {
  if (kind === 'snippets' || kind === 'epics') return []
  const own = QUICK_ACTIONS.filter(({ only = kind }) => only === kind)
  const begin = own.filter(({ name }) => name.startsWith(text))
  return [...begin, ...own.filter((action) => !begin.includes(action) && action.name.includes(text))]
}
