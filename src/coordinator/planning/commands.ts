import { type Static, Type } from 'typebox'

import { apiError } from '../http/errors.js'
import { described } from '../http/parameters/described.js'
import type { CallerInProject } from './access/issue-access.js'
import { visitLinesOutsideCode } from './references/outside-code.js'

/** A quick action: a line such as `/label ~bug` of a description or a comment. */
export interface Command {
  name: string
  /** What follows the name, without blanks around it. */
  args: string
}

/** What quick actions have done; those that the user may not use, or that are not possible, leave nothing. */
export interface CommandResult {
  /** Attributes and their new values, by the names of the API. */
  changes: Record<string, unknown>
  /** A sentence for each action: `Closed this issue.` */
  summary: string[]
}

/** Applies quick actions to an issue or a merge request, as the caller. */
export interface CommandRunner {
  onIssue: (caller: CallerInProject, iid: number, commands: readonly Command[]) => Promise<CommandResult>
  onMergeRequest: (
    caller: CallerInProject,
    iid: number,
    commands: readonly Command[],
  ) => Promise<CommandResult>
}

/** The response to a comment of which nothing is left but quick actions. */
export const CommandsApplied = Type.Object({
  commands_changes: described(Type.Object({}, { additionalProperties: true }), 'Changed attributes.'),
  summary: described(Type.Array(Type.String()), 'A sentence for each action.'),
})
export type CommandsApplied = Static<typeof CommandsApplied>

/** Names of the quick actions (API, G1). */
const NAMES = new Set([
  ...['close', 'reopen', 'title', 'assign', 'unassign', 'reassign', 'label', 'labels', 'unlabel', 'relabel'],
  ...['milestone', 'remove_milestone', 'due', 'remove_due_date', 'weight', 'clear_weight', 'lock', 'unlock'],
  ...['confidential', 'todo', 'done', 'subscribe', 'unsubscribe', 'estimate', 'remove_estimate', 'spend'],
  ...['remove_time_spent', 'draft', 'wip', 'ready', 'target_branch'],
  ...['assign_reviewer', 'request_review', 'unassign_reviewer', 'merge', 'approve'],
  ...['unapprove', 'rebase'],
])

/** Quick actions that stand for a text. */
const TEXTS: Record<string, string> = { shrug: '¯\\\\_(ツ)_/¯', tableflip: '(╯°□°)╯︵ ┻━┻' }

/** How many quick actions one text may have. Each of them is a change with transactions of its own. */
export const MAX_COMMANDS = 50

const SLASH = 47
/** In characters. */
const MAX_NAME_LENGTH = Math.max(...[...NAMES, ...Object.keys(TEXTS)].map(({ length }) => length))

/**
 * Separates the quick actions from the other lines of a text; those in code and quotes are text. Throws 400 if there are
 * more than `MAX_COMMANDS`: none of them is applied then.
 */
export function readCommands(text: string): { text: string; commands: Command[] } {
  if (!/^\/[a-z]/im.test(text)) return { text, commands: [] }
  const commands: Command[] = []
  let count = 0
  const rest: string[] = []
  let at = 0
  visitLinesOutsideCode(text, (start, end) => {
    if (text.charCodeAt(start) !== SLASH) return
    const nameEnd = endOfName(text, start + 1, end)
    const name = text.slice(start + 1, nameEnd).toLowerCase()
    const replacement = TEXTS[name]
    if (replacement === undefined && !NAMES.has(name)) return
    if (++count > MAX_COMMANDS) return
    const args = text.slice(nameEnd, end).trim()
    rest.push(text.slice(at, start))
    if (replacement === undefined) commands.push({ name, args })
    else rest.push(`${args} ${replacement}`.trim())
    at = end
    if (replacement === undefined && text.charAt(at) === '\r') at += 1
    if (replacement === undefined && text.charAt(at) === '\n') at += 1
  })
  if (count > MAX_COMMANDS) {
    throw apiError('too_many_commands', { max: MAX_COMMANDS, count })
  }
  return at === 0 ? { text, commands } : { text: (rest.join('') + text.slice(at)).trim(), commands }
}

/** Where a blank or the end of the line follows; `at` if the name is too long for a quick action. */
function endOfName(text: string, at: number, end: number): number {
  for (let next = at; next <= at + MAX_NAME_LENGTH; next += 1) {
    if (next === end || ' \t\r'.includes(text.charAt(next))) return next
  }
  return at
}

/** Parameters whose description has no quick actions, and those that it had. */
export function withoutCommands<P extends { description?: string | null | undefined }>(
  params: P,
): { params: P; commands: Command[] } {
  const { text, commands } = readCommands(params.description ?? '')
  return commands.length === 0 ? { params, commands } : { params: { ...params, description: text }, commands }
}
