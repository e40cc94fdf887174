import { posix } from 'node:path'

import { ObjectTooLargeError } from '../../../git/errors.js'
import { isTreePath } from '../../../git/names.js'
import { escapeInTurns } from '../../../lib/escape-in-turns.js'
import { renderMarkdownDocument } from '../../../lib/markdown/render-markdown.js'
import type { Project } from '../../access/caller.js'
import { notFound } from '../../http/errors.js'
import type { Reading } from '../repositories/browse/reading.js'
import { findEntry, treeEntries, type TreeEntry } from '../repositories/browse/tree-entries.js'
import type { PushDeps } from '../repositories/push/handle-push.js'
import { defaultRevision, requireCommit } from '../repositories/revisions.js'
import { requireFolder, treeOptions } from './browse.js'
import type { GetRendered, RenderedFile } from './view-schema.js'

const MAX_SHOWN_BYTES = 1024 * 1024
const SYMBOLIC_LINK = '120000'

const MARKDOWN_ENDINGS = ['.md', '.markdown', '.mdown', '.mkd', '.mkdn', '.mkdown']
/** Formats of a README, the preferred ones first. */
const README_ENDINGS = [...MARKDOWN_ENDINGS, '', '.txt', '.rst', '.adoc', '.asciidoc', '.org', '.rdoc']

interface RenderDeps extends Pick<PushDeps, 'repositories'> {
  /** Without a trailing slash. */
  externalUrl: string
}

/** A file, or the README of a folder, as HTML. Throws 404 for an unknown revision, file or folder. */
export async function renderFile(
  deps: RenderDeps,
  project: Project,
  reading: Reading,
  params: GetRendered,
): Promise<RenderedFile> {
  const { sha, entry } = await fileToRender(deps, project, reading, params)
  if (!entry) return { commit: sha, path: null, format: null, html: null }
  const text = await readText(reading, await linkedFile(reading, sha, entry))
  const isMarkdown = MARKDOWN_ENDINGS.includes(posix.extname(entry.path).toLowerCase())
  const facts = { commit: sha, path: entry.path, format: isMarkdown ? 'markdown' : 'text' } as const
  if (text === undefined) return { ...facts, html: null }
  if (!isMarkdown) return { ...facts, html: `<pre>${await escapeInTurns(text)}</pre>` }
  const ref = params.ref || (project.default_branch ?? 'HEAD')
  const base = `${new URL(deps.externalUrl).pathname.replace(/\/$/, '')}/${project.full_path}/-`
  return { ...facts, html: await renderMarkdownDocument(text, { base, ref, path: entry.path }) }
}

interface FoundFile {
  sha: string
  entry: TreeEntry | undefined
}

async function fileToRender(
  deps: RenderDeps,
  project: Project,
  reading: Reading,
  { ref, path, dir }: GetRendered,
): Promise<FoundFile> {
  if (path === undefined) {
    const folder = await requireFolder(deps, project, reading, { ref, path: dir })
    return {
      sha: folder.sha,
      entry: await findReadme(reading, treeEntries(reading, folder.treeId, treeOptions(folder))),
    }
  }
  const sha = await requireCommit(deps.repositories, project, ref || defaultRevision(project))
  const entry = isTreePath(path) ? await findEntry(reading, sha, path) : undefined
  if (entry?.type !== 'blob') throw notFound('File')
  return { sha, entry }
}

/** The preferred README among the entries of a folder. */
async function findReadme(
  reading: Reading,
  entries: AsyncIterable<TreeEntry>,
): Promise<TreeEntry | undefined> {
  let best: { entry: TreeEntry; rank: number } | undefined
  for await (const entry of entries) {
    const rank = entry.type === 'blob' ? readmeRank(posix.basename(entry.path)) : -1
    if (rank >= 0 && rank < (best?.rank ?? Infinity)) best = { entry, rank }
  }
  return best?.entry
}

/** The lowest number is preferred; negative for a file that is no README. */
function readmeRank(name: string): number {
  const lower = name.toLowerCase()
  return lower.startsWith('readme') ? README_ENDINGS.indexOf(lower.slice('readme'.length)) : -1
}

/** The file that a symbolic link leads to; undefined if there is none. */
async function linkedFile(reading: Reading, sha: string, entry: TreeEntry): Promise<TreeEntry | undefined> {
  if (entry.mode !== SYMBOLIC_LINK) return entry
  const target = (await readText(reading, entry)) ?? ''
  const path = posix.join(posix.dirname(entry.path), target)
  const found = isTreePath(path) ? await findEntry(reading, sha, path) : undefined
  return found?.type === 'blob' && found.mode !== SYMBOLIC_LINK ? found : undefined
}

/** Undefined for a binary file and one that is too large. */
async function readText(reading: Reading, entry: TreeEntry | undefined): Promise<string | undefined> {
  if (!entry) return undefined
  try {
    const { content } = await reading.objects.readNamed(entry.id, MAX_SHOWN_BYTES)
    return content.includes(0) ? undefined : content.toString('utf8')
  } catch (error) {
    if (error instanceof ObjectTooLargeError) return undefined
    throw error
  }
}
