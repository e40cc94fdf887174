import type { Project, User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { effectiveSettings } from '../../database/stores/application-setting-store.js'
import { apiError, forbidden, invalidParameters, invalidRecord, notFound } from '../../http/errors.js'
import { FileChangeError } from '../repositories/change/errors.js'
import { checkFilePath, type FileAction } from '../repositories/change/write-tree.js'
import type { Repositories } from '../repositories/repositories.js'
import { measured } from '../repositories/size-of.js'
import { refuseRestricted } from '../restricted-visibility.js'
import { commitSnippetFiles, pathsOf } from './files.js'
import type { CreateSnippet, EditSnippet, FileChange } from './schema.js'
import { deleteSnippetRow, insertSnippet, moveUpdateTime, type SnippetRow, updateSnippet } from './store.js'

export interface SnippetDeps {
  database: Database
  /** Repositories of snippets, by the IDs of these. */
  snippetRepositories: Repositories
  /** Public address without a trailing slash. */
  externalUrl: string
}

/** The owner of a new snippet, and the origin of the request. */
export interface Origin {
  project: Project | undefined
  userAgent: string | undefined
  address: string
}

/**
 * Creates a snippet with its repository. It is there when the repository has the files: an interrupted creation leaves
 * nothing visible. Throws 400 for wrong files, and for a visibility that only administrators may choose.
 */
export async function createSnippet(
  { database, snippetRepositories }: SnippetDeps,
  user: User,
  params: CreateSnippet,
  { project, userAgent, address }: Origin,
  signal: AbortSignal,
): Promise<SnippetRow> {
  const files = newFiles(params)
  const { default_snippet_visibility } = await effectiveSettings(database, 'default_snippet_visibility')
  const values = {
    project_id: project?.id ?? null,
    title: params.title,
    description: params.description ?? null,
    visibility: params.visibility ?? default_snippet_visibility,
    user_agent: userAgent ?? null,
    ip_address: address,
    created_at: Date.now(),
  }
  return addSnippet({ database, snippetRepositories }, user, values, files, signal)
}

export type NewSnippet = Pick<
  SnippetRow,
  'project_id' | 'title' | 'description' | 'visibility' | 'user_agent' | 'ip_address' | 'created_at'
>

/** Stores a snippet with its files. Throws 400 as `createSnippet` does. */
export async function addSnippet(
  { database, snippetRepositories }: Pick<SnippetDeps, 'database' | 'snippetRepositories'>,
  author: User,
  values: NewSnippet,
  files: FileAction[],
  signal: AbortSignal,
): Promise<SnippetRow> {
  await refuseRestricted(database, values.visibility, author)
  const { id } = await insertSnippet(database, {
    ...values,
    author_id: author.id,
    file_name: files[0]?.path ?? '',
    updated_at: values.created_at,
  })
  try {
    await snippetRepositories.setAside(id)
    await snippetRepositories.create(id)
    await commitSnippetFiles(snippetRepositories, id, files, { author, message: 'Initial commit\n', signal })
    const size = await measured(snippetRepositories, id)
    const row = await updateSnippet(database, id, { is_ready: true, size })
    if (!row) throw notFound('Snippet')
    return row
  } catch (error) {
    await deleteSnippet({ database, snippetRepositories }, { id })
    throw error
  }
}

/**
 * Changes a snippet. Throws 400 for changes of files that are not possible, and 409 if it was changed since the time that
 * the caller knows.
 */
export async function editSnippet(
  deps: SnippetDeps,
  user: User,
  row: SnippetRow,
  { last_updated_at: known, ...params }: EditSnippet,
  signal: AbortSignal,
): Promise<SnippetRow> {
  if (known === undefined) return edit(deps, user, row, params, signal)
  // Of two callers that know the same time, only one gets it.
  const [from, to] = [Date.parse(known), Math.max(Date.now(), Date.parse(known) + 1)]
  if (!(await moveUpdateTime(deps.database, row.id, { from, to }))) throw apiError('snippet_changed')
  try {
    return await edit(deps, user, row, params, signal)
  } catch (error) {
    await moveUpdateTime(deps.database, row.id, { from: to, to: from })
    throw error
  }
}

async function edit(
  { database, snippetRepositories }: SnippetDeps,
  user: User,
  row: SnippetRow,
  params: EditSnippet,
  signal: AbortSignal,
): Promise<SnippetRow> {
  const { title, description, visibility } = params
  if (visibility !== undefined && visibility !== row.visibility)
    await refuseRestricted(database, visibility, user)
  const actions = await changedFiles(snippetRepositories, row, params)
  if (actions.length > 0) {
    await commitSnippetFiles(snippetRepositories, row.id, actions, {
      author: user,
      message: 'Update snippet\n',
      signal,
    })
  }
  const [first = row.file_name] = actions.length > 0 ? await pathsOf(snippetRepositories, row.id) : []
  const edited = await updateSnippet(database, row.id, {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(visibility !== undefined && { visibility }),
    file_name: first,
    ...(actions.length > 0 && { size: await measured(snippetRepositories, row.id) }),
    updated_at: Date.now(),
  })
  if (!edited) throw notFound('Snippet')
  return edited
}

/** Deletes a snippet; what an interruption leaves of its repository is deleted later. */
export async function deleteSnippet(
  { database, snippetRepositories }: Pick<SnippetDeps, 'database' | 'snippetRepositories'>,
  { id }: Pick<SnippetRow, 'id'>,
): Promise<void> {
  await deleteSnippetRow(database, id)
  await snippetRepositories.delete(id)
}

/** Throws 403 unless the user is the author, a maintainer of its project, or an administrator. */
export function checkMayEdit(user: User, row: SnippetRow, isMaintainer: boolean): void {
  if (row.author_id !== user.id && !isMaintainer && !user.is_admin) throw forbidden()
}

function newFiles({ file_name, content, files }: CreateSnippet): FileAction[] {
  if (files) {
    if (file_name !== undefined || content !== undefined) {
      throw invalidParameters('files, file_name and content are mutually exclusive')
    }
    return files.map((file) => creation(file.file_path, file.content, 'files'))
  }
  if (file_name === undefined) throw invalidParameters('file_name is missing')
  if (content === undefined) throw invalidParameters('content is missing')
  return [creation(file_name, content, 'file_name')]
}

function creation(path: string, content: string, parameter: PathParameter): FileAction {
  checkPath(path, parameter)
  return { action: 'create', path, content: Buffer.from(content) }
}

type PathParameter = 'files' | 'file_name'

/** Throws 400 for a wrong path, before anything is stored. */
function checkPath(path: string, parameter: PathParameter): void {
  try {
    checkFilePath(path)
  } catch (error) {
    if (error instanceof FileChangeError) throw invalidRecord({ [parameter]: [error.message] })
    throw error
  }
}

async function changedFiles(
  repositories: Repositories,
  { id }: SnippetRow,
  { file_name, content, files }: EditSnippet,
): Promise<FileAction[]> {
  if (files) {
    if (file_name !== undefined || content !== undefined) {
      throw invalidParameters('files, file_name and content are mutually exclusive')
    }
    return files.map(actionOf)
  }
  if (file_name === undefined && content === undefined) return []
  const [only, ...others] = await pathsOf(repositories, id)
  if (only === undefined || others.length > 0) {
    throw invalidRecord({ files: ['must be used to change a snippet of several files'] })
  }
  const changed = content === undefined ? {} : { content: Buffer.from(content) }
  if (file_name !== undefined && file_name !== only) {
    checkPath(file_name, 'file_name')
    return [{ action: 'move', path: file_name, previousPath: only, ...changed }]
  }
  return changed.content ? [{ action: 'update', path: only, content: changed.content }] : []
}

function actionOf({ action, file_path, previous_path, content }: FileChange): FileAction {
  const needed = <Value>(value: Value | undefined, name: string): Value => {
    if (value === undefined) throw invalidParameters(`files[${name}] is missing`)
    return value
  }
  const path = needed(file_path, 'file_path')
  switch (action) {
    case 'delete':
      return { action, path }
    case 'move': {
      const previousPath = needed(previous_path, 'previous_path')
      return { action, path, previousPath, ...(content !== undefined && { content: Buffer.from(content) }) }
    }
    default:
      return { action, path, content: Buffer.from(needed(content, 'content')) }
  }
}
