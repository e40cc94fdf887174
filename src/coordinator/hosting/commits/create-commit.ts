import type { Project, User } from '../../access/caller.js'
import { ApiError, apiError, invalidParameters, notFound } from '../../http/errors.js'
import type { Reading } from '../repositories/browse/reading.js'
import type { RefChanger } from '../repositories/change/change-refs.js'
import { commitFiles, type FileCommit } from '../repositories/change/commit-files.js'
import { decodeContent } from '../repositories/change/decode-content.js'
import { FileChangeError, RefsMovedError, RefsRefusedError } from '../repositories/change/errors.js'
import type { FileAction } from '../repositories/change/write-tree.js'
import { isRelated } from '../repositories/is-related.js'
import { commitOfRef } from '../repositories/revisions.js'
import type { CommitDeps } from './list-commits.js'
import type { Action, NewCommit } from './schema.js'

export interface CreateCommitDeps extends CommitDeps {
  /** Maximum request size, in bytes. */
  maxCommitBytes: number
  /** Finds a project by ID or path, if the user may read its code. */
  readableProject: (user: User, idOrPath: string) => Promise<Project | undefined>
}

/**
 * Creates a commit and returns its SHA. Throws 400 for an invalid change and 403 if the rules of the branch
 * forbid the push.
 */
export async function createCommit(
  deps: CreateCommitDeps,
  changer: RefChanger,
  reading: Reading,
  params: NewCommit,
): Promise<string> {
  const { user } = changer
  if (params.actions.length === 0) throw invalidParameters('actions is empty')
  const commit: FileCommit = {
    branch: params.branch,
    message: params.commit_message,
    force: params.force,
    author: { name: params.author_name || user.name, email: params.author_email || user.email },
    actions: params.actions.map(fileAction),
    lastCommits: params.actions.flatMap(lastCommitOfAction),
    start: await startOf(deps, changer, params),
  }
  try {
    return await commitFiles(deps.pushes, changer, reading, commit)
  } catch (error) {
    throw refusalOf(error)
  }
}

function refusalOf(error: unknown): unknown {
  if (error instanceof RefsRefusedError) {
    const { body } = apiError('push_forbidden')
    return new ApiError('push_forbidden', { ...body, reasons: error.reasons }, {}, { cause: error })
  }
  if (error instanceof FileChangeError || error instanceof RefsMovedError) {
    return apiError('change_refused', { reason: error.message }, { cause: error })
  }
  return error
}

async function startOf(
  deps: CreateCommitDeps,
  { project, user }: RefChanger,
  { start_branch: branch, start_sha: sha, start_project: other }: NewCommit,
): Promise<FileCommit['start']> {
  const from = other === undefined ? project : await deps.readableProject(user, other)
  if (!from) throw notFound('Project')
  if (from.id === project.id && branch) return { branch }
  if (!branch && !sha) return undefined
  if (from.id !== project.id && !isRelated(from, project)) {
    throw apiError('start_project_unrelated')
  }
  const { repositories } = deps.pushes
  const found = branch
    ? await commitOfRef(repositories, from, 'branch', branch)
    : await repositories.resolveCommit(from.id, sha ?? '')
  if (found === undefined) throw apiError('revision_not_found', { ref: branch ?? sha ?? '' })
  return { sha: found, project: from }
}

function lastCommitOfAction(given: Action): FileCommit['lastCommits'] {
  const { action, last_commit_id: commit, file_path, previous_path } = given
  if (!commit || action === 'create' || action === 'chmod') return []
  return [{ path: action === 'move' ? (previous_path ?? file_path) : file_path, commit }]
}

function fileAction(given: Action, index: number): FileAction {
  const { action, file_path: path, previous_path: previousPath, execute_filemode: isExecutable } = given
  switch (action) {
    case 'create':
    case 'update':
      return { action, path, content: needed(contentOf(given, index), index, 'content'), isExecutable }
    case 'move':
      return {
        action,
        path,
        previousPath: needed(previousPath, index, 'previous_path'),
        content: contentOf(given, index),
      }
    case 'chmod':
      return { action, path, isExecutable: needed(isExecutable, index, 'execute_filemode') }
    case 'delete':
      return { action, path }
  }
}

function contentOf({ content, encoding }: Action, index: number): Buffer | undefined {
  if (content === undefined) return undefined
  const decoded = decodeContent(content, encoding)
  if (!decoded) throw invalidParameters(`actions[${index}][content] is invalid`)
  return decoded
}

function needed<T>(value: T | undefined, index: number, name: string): T {
  if (value === undefined) throw invalidParameters(`actions[${index}][${name}] is missing`)
  return value
}
