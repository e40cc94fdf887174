import type { Database } from '../../database/connect.js'
import { requireIssue } from '../access/issue-access.js'
import type { Command, CommandResult } from '../commands.js'
import { editIssue } from '../issues/issues.js'
import type { EditIssue } from '../issues/schema.js'
import { changeSubscription } from '../issues/subscriptions.js'
import { trackIssueTime } from '../issues/time-operations.js'
import { labelsOfIssues } from '../stores/issue-label-store.js'
import { assigneesOf } from '../stores/issue-store.js'
import { dayOf } from './arguments.js'
import { type ActionResult, mayPlanIn, runAll, runShared, type SignedIn, type Target } from './shared.js'

/** Applies quick actions to an issue. Throws 404 for an unknown one. */
export async function runOnIssue(
  database: Database,
  caller: SignedIn,
  iid: number,
  commands: readonly Command[],
): Promise<CommandResult> {
  const { id, project_id } = await requireIssue(database, caller, iid)
  const edit = (changes: Partial<EditIssue>) => editIssue(database, caller, { ...changes, issue_iid: iid })
  const target: Target = {
    database,
    caller,
    kind: 'issue',
    todo: { table: 'issue', id, project_id },
    assignees: async () => (await assigneesOf(database, [id])).get(id) ?? [],
    labels: async () => ((await labelsOfIssues(database, [id])).get(id) ?? []).map(({ name }) => name),
    mayPlan: mayPlanIn(caller, 'issues'),
    edit,
    subscribe: (subscribed) => changeSubscription(database, caller, iid, subscribed),
    track: (changes) => trackIssueTime({ database }, caller, iid, changes),
  }
  return runAll(commands, async (command) => {
    const own = changesOf(command)
    if (!own) return runShared(target, command)
    await edit(own.changes)
    return own
  })
}

/** What only issues have. */
function changesOf({ name, args }: Command): (ActionResult & { changes: Partial<EditIssue> }) | undefined {
  switch (name) {
    case 'due': {
      const due_date = dayOf(args)
      return due_date === undefined
        ? undefined
        : { changes: { due_date }, summary: `Set the due date to ${due_date}.` }
    }
    case 'remove_due_date':
      return { changes: { due_date: null }, summary: 'Removed the due date.' }
    case 'weight': {
      const weight = /^\d{1,9}$/.test(args) ? Number(args) : undefined
      return weight === undefined
        ? undefined
        : { changes: { weight }, summary: `Set the weight to ${weight}.` }
    }
    case 'clear_weight':
      return { changes: { weight: null }, summary: 'Removed the weight.' }
    case 'confidential':
      return { changes: { confidential: true }, summary: 'Made this issue confidential.' }
    default:
      return undefined
  }
}
