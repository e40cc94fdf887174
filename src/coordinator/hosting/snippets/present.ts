import { Readable } from 'node:stream'

import { renderMarkdown } from '../../../lib/markdown/render-markdown.js'
import type { Project, User } from '../../access/caller.js'
import { findFullPaths } from '../../database/stores/project-store.js'
import { disposition } from '../../http/header-text.js'
import { stream, type StreamResponse } from '../../http/operation.js'
import { isoTime } from '../../http/presenters/present-time.js'
import { presentUser } from '../../http/presenters/present-user.js'
import { usersById } from '../../http/presenters/users-by-id.js'
import { rawType } from '../repositories/browse/raw-type.js'
import { MAIN } from '../repositories/change/commit-to-main.js'
import { openFile, pathsOf } from './files.js'
import type { SnippetDeps } from './snippets.js'
import type { SnippetRow } from './store.js'

type PresentDeps = Pick<SnippetDeps, 'database' | 'externalUrl'>

/** Records of a list, without their files. */
export async function presentSnippets(deps: PresentDeps, rows: readonly SnippetRow[]) {
  const authors = await usersById(
    deps.database,
    rows.map(({ author_id }) => author_id),
  )
  const paths = await findFullPaths(
    deps.database,
    rows.map(({ project_id }) => project_id),
  )
  return rows.map((row) => presented(deps, row, paths.get(row.project_id ?? 0), authors))
}

/** The record for a page, with the description as HTML if it is asked for. */
export async function presentShownSnippet(
  deps: SnippetDeps,
  row: SnippetRow,
  project: Project | undefined,
  { render_html: rendersHtml = false }: { render_html?: boolean | undefined },
) {
  const record = await presentSnippet(deps, row, project)
  return rendersHtml ? { ...record, description_html: await renderMarkdown(row.description ?? '') } : record
}

/** The whole record of a snippet. */
export async function presentSnippet(deps: SnippetDeps, row: SnippetRow, project: Project | undefined) {
  const authors = await usersById(deps.database, [row.author_id])
  const base = urlOf(deps, row, project?.full_path)
  const paths = await pathsOf(deps.snippetRepositories, row.id)
  return {
    ...presented(deps, row, project?.full_path, authors),
    files: paths.map((path) => ({
      path,
      raw_url: `${base}/raw/${MAIN}/${path.split('/').map(encodeURIComponent).join('/')}`,
    })),
  }
}

function presented(
  deps: PresentDeps,
  row: SnippetRow,
  projectPath: string | undefined,
  authors: ReadonlyMap<number, User>,
) {
  const { id, title, file_name, description, visibility, project_id, created_at, updated_at } = row
  const author = authors.get(row.author_id)
  if (!author) throw new Error(`The author of snippet ${id} does not exist`)
  const web_url = urlOf(deps, row, projectPath)
  const clone = `${projectPath === undefined ? '' : `${projectPath}/`}snippets/${id}.git`
  return {
    id,
    title,
    file_name,
    description,
    visibility,
    author: presentUser(author, deps.externalUrl),
    project_id,
    created_at: isoTime(created_at),
    updated_at: isoTime(updated_at),
    web_url,
    raw_url: `${web_url}/raw`,
    http_url_to_repo: `${deps.externalUrl}/${clone}`,
    ssh_url_to_repo: `git@${new URL(deps.externalUrl).hostname}:${clone}`,
    imported: false,
  }
}

function urlOf({ externalUrl }: PresentDeps, { id }: SnippetRow, projectPath: string | undefined): string {
  return `${externalUrl}/${projectPath === undefined ? '' : `${projectPath}/`}-/snippets/${id}`
}

/** The content of the first file, or of a named one. Throws 404 for an unknown one. */
export async function rawSnippet(
  { snippetRepositories }: SnippetDeps,
  row: SnippetRow,
  file: { path: string; ref?: string } | undefined,
  signal: AbortSignal,
): Promise<StreamResponse> {
  const [first = row.file_name] = file ? [file.path] : await pathsOf(snippetRepositories, row.id)
  const path = file?.path ?? first
  const { blob, bytes } = await openFile(snippetRepositories, row.id, file ?? { path }, signal)
  const name = path.slice(path.lastIndexOf('/') + 1)
  const type = await rawType(snippetRepositories.reading(row.id, signal), blob, name)
  return stream(Readable.from(bytes, { objectMode: false }), type, {
    'content-length': String(blob.size),
    'content-disposition': disposition('inline', name),
    'x-content-type-options': 'nosniff',
  })
}
