import { setImmediate as nextTurn } from 'node:timers/promises'

import { may } from '../../access/access.js'
import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { inTransaction } from '../../database/transaction.js'
import { milestonesForProject } from '../../hosting/milestone-store.js'
import { ApiError } from '../../http/errors.js'
import type { CallerInProject } from '../access/issue-access.js'
import type { Command, CommandResult } from '../commands.js'
import { finishTodosAbout, insertTodos, type TodoTarget } from '../stores/todo-store.js'
import { estimateOf, spentTimeOf, type TrackedChanges } from '../time-tracking/time-tracking.js'
import { labelsIn, milestoneTitle, usersIn } from './arguments.js'

export type SignedIn = CallerInProject & { user: User }

/** What one quick action has done: the changed attributes, and a sentence. Undefined if it was not possible. */
export type ActionResult = { changes: Record<string, unknown>; summary: string } | undefined

/** The attributes that issues and merge requests have in common, as `PUT` takes them. */
interface SharedChanges {
  title?: string
  state_event?: 'close' | 'reopen'
  assignee_ids?: number[]
  labels?: string[]
  add_labels?: string[]
  remove_labels?: string[]
  milestone_id?: number
  discussion_locked?: boolean
}

/** How quick actions change one issue or merge request. */
export interface Target {
  database: Database
  caller: SignedIn
  /** `issue`, `merge request`. */
  kind: string
  todo: TodoTarget
  /** Present values that actions add to. */
  assignees: () => Promise<number[]>
  labels: () => Promise<string[]>
  /** Whether the caller may plan: set labels, milestone, assignees and times. */
  mayPlan: boolean
  edit: (changes: SharedChanges) => Promise<unknown>
  subscribe: (subscribed: boolean) => Promise<unknown>
  track: (changes: TrackedChanges) => Promise<unknown>
}

/** Runs the actions one after the other. Those that are refused are left out: the rights are those of the operations. */
export async function runAll(
  commands: readonly Command[],
  run: (command: Command) => Promise<ActionResult>,
): Promise<CommandResult> {
  const result: CommandResult = { changes: {}, summary: [] }
  for (const command of commands) {
    // Queries of SQLite do not wait: without a pause, all actions would be one turn of the event loop.
    await nextTurn()
    const done = await unlessRefused(() => run(command))
    if (!done) continue
    Object.assign(result.changes, done.changes)
    result.summary.push(done.summary)
  }
  return result
}

async function unlessRefused(work: () => Promise<ActionResult>): Promise<ActionResult> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return undefined
    throw error
  }
}

type Action = (target: Target, args: string) => Promise<ActionResult>

function edited(
  changes: (target: Target, args: string) => Promise<SharedChanges | undefined>,
  summary: string,
): Action {
  return async (target, args) => {
    const wanted = await changes(target, args)
    if (!wanted) return undefined
    await target.edit(wanted)
    return { changes: { ...wanted }, summary: summary.replace('%', target.kind) }
  }
}

const SHARED: Record<string, Action> = {
  close: edited(() => Promise.resolve({ state_event: 'close' }), 'Closed this %.'),
  reopen: edited(() => Promise.resolve({ state_event: 'reopen' }), 'Reopened this %.'),
  title: edited((_, title) => Promise.resolve(title === '' ? undefined : { title }), 'Changed the title.'),
  lock: edited(() => Promise.resolve({ discussion_locked: true }), 'Locked the discussion.'),
  unlock: edited(() => Promise.resolve({ discussion_locked: false }), 'Unlocked the discussion.'),
  assign: planned(async (target, args) => {
    const users = await usersIn(target.database, args, target.caller.user)
    if (users.length === 0) return undefined
    return { assignee_ids: [...new Set([...(await target.assignees()), ...users])] }
  }, 'Assigned.'),
  unassign: planned(async (target, args) => {
    const users = await usersIn(target.database, args, target.caller.user)
    const present = await target.assignees()
    return { assignee_ids: args === '' ? [] : present.filter((id) => !users.includes(id)) }
  }, 'Removed assignees.'),
  reassign: planned(async ({ database, caller }, args) => {
    const assignee_ids = await usersIn(database, args, caller.user)
    return assignee_ids.length === 0 ? undefined : { assignee_ids }
  }, 'Changed assignees.'),
  label: planned(addLabels, 'Added labels.'),
  labels: planned(addLabels, 'Added labels.'),
  unlabel: planned(async ({ database, caller, labels }, args) => {
    const names = args === '' ? await labels() : await labelsIn(database, caller.project.id, args)
    return names.length === 0 ? undefined : { remove_labels: names }
  }, 'Removed labels.'),
  relabel: planned(async ({ database, caller }, args) => {
    return { labels: await labelsIn(database, caller.project.id, args) }
  }, 'Replaced the labels.'),
  milestone: planned(async ({ database, caller }, args) => {
    const titles = [milestoneTitle(args)]
    const [milestone] = await milestonesForProject(database, caller.project.id, { titles })
    return milestone && { milestone_id: milestone.id }
  }, 'Set the milestone.'),
  remove_milestone: planned(() => Promise.resolve({ milestone_id: 0 }), 'Removed the milestone.'),
  estimate: tracked((args) => estimateOf(args), 'Set the time estimate.'),
  remove_estimate: tracked(() => ({ time_estimate: 0 }), 'Removed the time estimate.'),
  // A day behind the duration says when the time was spent, which is not kept.
  spend: tracked((args) => spentTimeOf(args.replace(/\s+\d{4}-\d\d-\d\d$/, '')), 'Added spent time.'),
  remove_time_spent: tracked(() => ({ total_time_spent: 0 }), 'Removed the spent time.'),
  subscribe: subscribing(true, 'Subscribed to this %.'),
  unsubscribe: subscribing(false, 'Unsubscribed from this %.'),
  todo: async ({ database, caller, todo }) => {
    const userIds = [caller.user.id]
    await inTransaction(database, (tx) =>
      insertTodos(tx, todo, { userIds, authorId: caller.user.id, action: 'marked' }),
    )
    return { changes: { todo_event: 'add' }, summary: 'Added a to-do item.' }
  },
  done: async ({ database, caller, todo }) => {
    await inTransaction(database, (tx) => finishTodosAbout(tx, todo, [caller.user.id]))
    return { changes: { todo_event: 'done' }, summary: 'Marked the to-do item as done.' }
  },
}

async function addLabels({ database, caller }: Target, args: string): Promise<SharedChanges | undefined> {
  const names = await labelsIn(database, caller.project.id, args)
  return names.length === 0 ? undefined : { add_labels: names }
}

/** For those who may plan; from others the operation would ignore it. */
function planned(changes: Parameters<typeof edited>[0], summary: string): Action {
  const action = edited(changes, summary)
  return (target, args) => (target.mayPlan ? action(target, args) : Promise.resolve(undefined))
}

function tracked(changes: (args: string) => TrackedChanges, summary: string): Action {
  return async (target, args) => {
    if (!target.mayPlan) return undefined
    await target.track(changes(args))
    return { changes: { spend_time: { duration: args } }, summary }
  }
}

function subscribing(subscribed: boolean, summary: string): Action {
  return async (target) => {
    await target.subscribe(subscribed)
    const changes = { subscription_event: subscribed ? 'subscribe' : 'unsubscribe' }
    return { changes, summary: summary.replace('%', target.kind) }
  }
}

/** Runs an action that issues and merge requests have in common; undefined if it is none of them, or not possible. */
export async function runShared(target: Target, { name, args }: Command): Promise<ActionResult> {
  return SHARED[name]?.(target, args)
}

/** Whether members from the reporter role on plan issues, or merge requests. */
export function mayPlanIn(caller: CallerInProject, kind: 'issues' | 'merge_requests'): boolean {
  return may(kind === 'issues' ? 'manage_issues' : 'plan_merge_requests', caller)
}
