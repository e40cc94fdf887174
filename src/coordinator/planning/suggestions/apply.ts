import { DEVELOPER } from '../../access/access-levels.js'
import { may } from '../../access/access.js'
import type { Project, User } from '../../access/caller.js'
import { inTransaction } from '../../database/transaction.js'
import { findNoteById, type NoteRow, resolveThread } from '../../hosting/note-store.js'
import { lastCommitOf } from '../../hosting/repositories/browse/commit-log.js'
import type { RefChanger } from '../../hosting/repositories/change/change-refs.js'
import { commitFiles } from '../../hosting/repositories/change/commit-files.js'
import {
  FileChangeError,
  RefsMovedError,
  RefsRefusedError,
} from '../../hosting/repositories/change/errors.js'
import type { PushDeps } from '../../hosting/repositories/push/handle-push.js'
import { apiError, forbidden, invalidParameters, notFound } from '../../http/errors.js'
import { accessIn, type OperationDeps } from '../../http/handle-operation.js'
import {
  findMergeRequestById,
  lockMergeRequest,
  type MergeRequestRow,
} from '../stores/merge-request-store.js'
import { linesIn } from './lines.js'
import { suggestionMessage } from './message.js'
import { presentSuggestion, type Suggestion } from './present-suggestion.js'
import { findSuggestions, markApplied, type SuggestionRow } from './suggestion-store.js'

export interface ApplyDeps extends Pick<OperationDeps, 'findProject' | 'projectAccessOf'> {
  pushes: PushDeps
}

/** A suggestion with the note that has it. */
interface Wanted {
  suggestion: SuggestionRow
  note: NoteRow
}

/**
 * Makes one commit of suggestions on the source branch, as the user, and resolves their discussions. Throws 404 for an
 * unknown suggestion and one that the user may not see, 403 if the user may not push to the branch, and 400 for
 * suggestions that were applied, whose lines have changed since, or that are not for one open merge request.
 */
export async function applySuggestions(
  deps: ApplyDeps,
  user: User,
  { ids, message }: { ids: readonly number[]; message: string | undefined },
  signal: AbortSignal,
): Promise<Suggestion[]> {
  const { pushes } = deps
  if (ids.length === 0) throw invalidParameters('ids is empty')
  const wanted = await wantedSuggestions(deps, ids)
  const row = await theirMergeRequest(deps, user, wanted)
  const changer = await sourceChanger(deps, user, row, signal)
  if (wanted.some(({ suggestion }) => suggestion.commit_sha !== null))
    throw apiError('suggestion_not_applicable')
  const commit = await commitAll(pushes, changer, row, wanted, message)
  await inTransaction(pushes.database, async (tx) => {
    await lockMergeRequest(tx, row.id)
    await markApplied(
      tx,
      wanted.map(({ suggestion }) => suggestion.id),
      commit,
    )
    for (const { note } of wanted) await resolveThread(tx, note.discussion_id, user.id)
  })
  return wanted.map(({ suggestion, note }) =>
    presentSuggestion({ ...suggestion, commit_sha: commit }, note.position),
  )
}

async function wantedSuggestions({ pushes }: ApplyDeps, ids: readonly number[]): Promise<Wanted[]> {
  const unique = [...new Set(ids)]
  const wanted: Wanted[] = []
  for (const suggestion of await findSuggestions(pushes.database, unique)) {
    const note = await findNoteById(pushes.database, suggestion.note_id)
    if (note) wanted.push({ suggestion, note })
  }
  if (wanted.length !== unique.length) throw notFound('Suggestion')
  return wanted
}

/** Throws 404 if the user may not see the merge request, and 400 if there are several. */
async function theirMergeRequest(
  deps: ApplyDeps,
  user: User,
  wanted: readonly Wanted[],
): Promise<MergeRequestRow> {
  const [id, ...others] = new Set(wanted.map(({ note }) => note.merge_request_id ?? 0))
  const row = await findMergeRequestById(deps.pushes.database, id ?? 0)
  const project = row && (await deps.findProject(String(row.project_id)))
  if (!project || !(await seesMergeRequests(deps, user, project))) throw notFound('Suggestion')
  if (others.length > 0) throw apiError('suggestions_of_several')
  if (row.state !== 'opened') throw apiError('suggestion_not_applicable')
  return row
}

async function seesMergeRequests(deps: ApplyDeps, user: User, project: Project): Promise<boolean> {
  return may('read_merge_requests', { project, ...(await accessIn(deps, user, project)) })
}

async function sourceChanger(
  deps: ApplyDeps,
  user: User,
  { source_project_id }: MergeRequestRow,
  signal: AbortSignal,
): Promise<RefChanger> {
  const project = await deps.findProject(String(source_project_id ?? 0))
  if (!project || project.archived) throw apiError('suggestion_not_applicable')
  const { accessLevel } = await accessIn(deps, user, project)
  if (accessLevel < DEVELOPER) throw forbidden()
  return { project, user, accessLevel, signal }
}

async function commitAll(
  pushes: PushDeps,
  changer: RefChanger,
  { source_branch: branch }: MergeRequestRow,
  wanted: readonly Wanted[],
  message: string | undefined,
): Promise<string> {
  const { project, user, signal } = changer
  const reading = pushes.repositories.reading(project.id, signal)
  const head = await pushes.repositories.resolveRef(project.id, `refs/heads/${branch}`)
  if (!head) throw apiError('suggestion_not_applicable')
  const paths = [...new Set(wanted.map(({ note }) => note.position?.new_path ?? ''))]
  const actions = []
  const lastCommits = []
  for (const path of paths) {
    const content = await pushes.repositories.readFile(project.id, head.sha, path)
    const commit = await lastCommitOf(reading, head.sha, path)
    if (content === undefined || commit === undefined) throw apiError('suggestion_not_applicable')
    const ofPath = wanted.filter(({ note }) => note.position?.new_path === path)
    actions.push({ action: 'update' as const, path, content: Buffer.from(applied(content, ofPath)) })
    lastCommits.push({ path, commit })
  }
  const text = message ?? suggestionMessage(project, user, { branch, paths, count: wanted.length })
  try {
    const commit = { branch, message: text, author: user, actions, lastCommits }
    return await commitFiles(pushes, changer, reading, commit)
  } catch (error) {
    throw refusalOf(error)
  }
}

function refusalOf(error: unknown): unknown {
  if (error instanceof RefsRefusedError) return apiError('push_forbidden')
  if (error instanceof FileChangeError || error instanceof RefsMovedError) {
    return apiError('change_refused', { reason: error.message }, { cause: error })
  }
  return error
}

/** The file with all suggestions. Throws 400 if lines have changed, or are replaced twice. */
function applied(content: string, wanted: readonly Wanted[]): string {
  const lines = linesIn(content)
  let end = lines.length + 1
  // From the end on, so that the numbers of the lines before stay as they are.
  const lineOf = ({ note }: Wanted) => note.position?.new_line ?? 0
  for (const each of wanted.toSorted((one, other) => lineOf(other) - lineOf(one))) {
    const { lines_above, lines_below, from_content, to_content } = each.suggestion
    const first = lineOf(each) - lines_above
    const count = lines_above + 1 + lines_below
    const isSame = lines.slice(first - 1, first - 1 + count).join('') === from_content
    if (first < 1 || !isSame || first + count > end) throw apiError('suggestion_not_applicable')
    lines.splice(first - 1, count, to_content)
    end = first
  }
  return lines.join('')
}
