import { requireMergeRequest } from '../access/merge-request-access.js'
import type { Command, CommandResult } from '../commands.js'
import { approve, unapprove } from '../merge-requests/approvals/approvals.js'
import { isDraft } from '../merge-requests/draft.js'
import { type EditDeps, editMergeRequest } from '../merge-requests/edit.js'
import { mergeAfterPipeline } from '../merge-requests/merge/auto-merge.js'
import type { BackgroundDeps } from '../merge-requests/merge/person-in-project.js'
import { requestRebase } from '../merge-requests/merge/rebase.js'
import { changeSubscription } from '../merge-requests/participants.js'
import type { EditMergeRequest } from '../merge-requests/schema.js'
import { trackMergeRequestTime } from '../merge-requests/time-operations.js'
import { labelsOfMergeRequests } from '../stores/merge-request-label-store.js'
import { assigneesOfMergeRequests, reviewersOf } from '../stores/merge-request-store.js'
import { usersIn } from './arguments.js'
import { type ActionResult, mayPlanIn, runAll, runShared, type SignedIn, type Target } from './shared.js'

export type MergeRequestCommandDeps = EditDeps & BackgroundDeps

/** Applies quick actions to a merge request. Throws 404 for an unknown one. */
export async function runOnMergeRequest(
  deps: MergeRequestCommandDeps,
  caller: SignedIn,
  iid: number,
  commands: readonly Command[],
): Promise<CommandResult> {
  const { database } = deps
  const { id, project_id } = await requireMergeRequest(database, caller, iid)
  const edit = (changes: Partial<EditMergeRequest>) =>
    editMergeRequest(deps, caller, { ...changes, merge_request_iid: iid })
  const target: Target = {
    database,
    caller,
    kind: 'merge request',
    todo: { table: 'merge_request', id, project_id },
    assignees: async () => (await assigneesOfMergeRequests(database, [id])).get(id) ?? [],
    labels: async () => ((await labelsOfMergeRequests(database, [id])).get(id) ?? []).map(({ name }) => name),
    mayPlan: mayPlanIn(caller, 'merge_requests'),
    edit,
    subscribe: (subscribed) => changeSubscription(database, caller, iid, subscribed),
    track: (changes) => trackMergeRequestTime({ database }, caller, iid, changes),
  }
  return runAll(commands, async (command) => {
    const own = (await editOf(deps, caller, iid, command)) ?? (await actOn(deps, caller, iid, command))
    if (!own) return runShared(target, command)
    if (own.edit) await edit(own.edit)
    return { changes: own.edit ?? own.changes ?? {}, summary: own.summary }
  })
}

interface Own {
  edit?: Partial<EditMergeRequest>
  changes?: Record<string, unknown>
  summary: NonNullable<ActionResult>['summary']
}

/** What only merge requests have, as `PUT` takes it. */
async function editOf(
  { database }: MergeRequestCommandDeps,
  caller: SignedIn,
  iid: number,
  { name, args }: Command,
): Promise<Own | undefined> {
  const present = async () => {
    const { id } = await requireMergeRequest(database, caller, iid)
    return ((await reviewersOf(database, [id])).get(id) ?? []).map(({ user_id }) => user_id)
  }
  switch (name) {
    case 'draft':
    case 'wip': {
      const { title } = await requireMergeRequest(database, caller, iid)
      return isDraft(title)
        ? undefined
        : { edit: { title: `Draft: ${title}` }, summary: 'Marked as a draft.' }
    }
    case 'ready': {
      const { title } = await requireMergeRequest(database, caller, iid)
      const plain = title.replace(/^\s*(?:\[?(?:draft|wip)\]?:?|\(draft\))\s*/i, '')
      return isDraft(title) ? { edit: { title: plain }, summary: 'Marked as ready.' } : undefined
    }
    case 'target_branch':
      return args === ''
        ? undefined
        : { edit: { target_branch: args }, summary: `Set the target branch to ${args}.` }
    case 'assign_reviewer':
    case 'request_review': {
      const users = await usersIn(database, args, caller.user)
      if (users.length === 0 || !mayPlanIn(caller, 'merge_requests')) return undefined
      return {
        edit: { reviewer_ids: [...new Set([...(await present()), ...users])] },
        summary: 'Asked for a review.',
      }
    }
    case 'unassign_reviewer': {
      if (!mayPlanIn(caller, 'merge_requests')) return undefined
      const users = await usersIn(database, args, caller.user)
      const reviewer_ids = args === '' ? [] : (await present()).filter((user) => !users.includes(user))
      return { edit: { reviewer_ids }, summary: 'Removed reviewers.' }
    }
    default:
      return undefined
  }
}

async function actOn(
  deps: MergeRequestCommandDeps,
  caller: SignedIn,
  iid: number,
  { name }: Command,
): Promise<Own | undefined> {
  const { database } = deps
  const { project, user, accessLevel } = caller
  const changer = { project, user, accessLevel, signal: new AbortController().signal }
  switch (name) {
    case 'merge': {
      const row = await requireMergeRequest(database, caller, iid)
      const merged = await mergeAfterPipeline(deps, changer, row, {})
      const summary = merged.state === 'merged' ? 'Merged.' : 'Set to merge when the pipeline succeeds.'
      return { changes: { merge: row.head_sha }, summary }
    }
    case 'approve':
      await approve(database, caller, { iid, sha: undefined })
      return { changes: { approve: true }, summary: 'Approved.' }
    case 'unapprove':
      await unapprove(database, caller, iid)
      return { changes: { approve: false }, summary: 'Unapproved.' }
    case 'rebase':
      await requestRebase(deps, changer, await requireMergeRequest(database, caller, iid), false)
      return { changes: { rebase: true }, summary: 'Started a rebase.' }
    default:
      return undefined
  }
}
