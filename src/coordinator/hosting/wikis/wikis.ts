import { InTurn } from '../../../lib/in-turn.js'
import type { User } from '../../access/caller.js'
import { apiError, invalidRecord, notFound } from '../../http/errors.js'
import { lastCommitOf } from '../repositories/browse/commit-log.js'
import { commitToMain } from '../repositories/change/commit-to-main.js'
import { FileChangeError, RefsMovedError } from '../repositories/change/errors.js'
import type { FileAction } from '../repositories/change/write-tree.js'
import { isRepository } from '../repositories/is-repository.js'
import { emitChanges } from './emit-changes.js'
import { headOfWiki } from './head-of-wiki.js'
import { type NewFormat, pathOf, problemOfSlug, renamedSlug, slugOf } from './page-names.js'
import { findPage, type WikiPage } from './pages.js'
import type { WikiDeps } from './wiki-deps.js'
import { PROJECT_WIKIS } from './wiki-records.js'

/** The user who changes a wiki, and its project or group. */
export interface WikiWriter {
  owner: { id: number }
  user: User
  signal: AbortSignal
}

/** In bytes. */
const MAX_PAGE_BYTES = 5 * 1024 * 1024

/** Creates the repository of the wiki unless it exists. */
export async function ensureWiki(
  { database, wikiRepositories, records = PROJECT_WIKIS }: WikiDeps,
  ownerId: number,
): Promise<void> {
  if (await isRepository(wikiRepositories.path(ownerId))) return
  // First, so that the wiki of an owner that has just been deleted is not created.
  await records.insert(database, ownerId)
  await wikiRepositories.createOnce(ownerId)
}

/** A page of a version of the wiki, by default the latest. Throws 404 for an unknown page or version. */
export async function requireWikiPage(
  { wikiRepositories }: WikiDeps,
  ownerId: number,
  { slug, version }: { slug: string; version?: string | undefined },
  signal: AbortSignal,
): Promise<WikiPage & { sha: string }> {
  const head = await headOfWiki(wikiRepositories, ownerId)
  const sha =
    head === undefined || version === undefined
      ? head
      : await wikiRepositories.resolveCommit(ownerId, version)
  const page =
    sha === undefined
      ? undefined
      : await findPage(wikiRepositories.reading(ownerId, signal), sha, slugOf(slug))
  if (sha === undefined || !page) throw notFound('Wiki Page')
  return { ...page, sha }
}

/** When a page was changed last, in milliseconds since 1970. */
export async function pageChangedAt(
  { wikiRepositories }: WikiDeps,
  ownerId: number,
  { sha, path }: WikiPage & { sha: string },
  signal: AbortSignal,
): Promise<number> {
  const last = await lastCommitOf(wikiRepositories.reading(ownerId, signal), sha, path)
  return Date.parse((await wikiRepositories.readCommit(ownerId, last ?? sha)).committedDate)
}

export interface NewPage {
  title: string
  content: string
  format?: NewFormat | undefined
  /** Message of the commit, in place of one that says what was done. */
  message?: string | undefined
}

export interface PageChanges {
  title?: string | undefined
  content?: string | undefined
  format?: NewFormat | undefined
  message?: string | undefined
  /** Commit that last changed the page, as far as the user knows. */
  last_commit_id?: string | undefined
}

/** Creates a page and returns its slug. Throws 400 if there is one with its title, in any format. */
export function createPage(deps: WikiDeps, writer: WikiWriter, page: NewPage): Promise<string> {
  return untilCommitted(deps, writer, () => create(deps, writer, page))
}

/**
 * Changes or renames a page and returns its slug. Throws 400 if another page has the new title, and 409 if the page was
 * changed since `last_commit_id`.
 */
export function editPage(
  deps: WikiDeps,
  writer: WikiWriter,
  slug: string,
  changes: PageChanges,
): Promise<string> {
  return untilCommitted(deps, writer, () => edit(deps, writer, slug, changes))
}

/** Deletes a page. Throws 404 if there is none. */
export function deletePage(deps: WikiDeps, writer: WikiWriter, slug: string): Promise<void> {
  return untilCommitted(deps, writer, () => remove(deps, writer, slug))
}

/** Adds a file that is no page, at a path that is not in use. */
export function addFile(deps: WikiDeps, writer: WikiWriter, path: string, content: Buffer): Promise<void> {
  return untilCommitted(deps, writer, async () => {
    await ensureWiki(deps, writer.owner.id)
    const before = await headOfWiki(deps.wikiRepositories, writer.owner.id)
    const message = `Upload attachment ${path.slice(path.lastIndexOf('/') + 1)}\n`
    await commit(deps, writer, { before, message, action: { action: 'create', path, content } })
  })
}

/** Number of attempts of a change while pushes and other coordinators change the wiki. */
const MAX_ATTEMPTS = 5

/** Changes of one wiki over the API of this process. */
const turns = new InTurn()

/** Waits for other changes of the wiki. Throws 409 if commits from elsewhere are always faster. */
function untilCommitted<Result>(
  { wikiRepositories }: WikiDeps,
  { owner, signal }: WikiWriter,
  change: () => Promise<Result>,
): Promise<Result> {
  return turns.run(wikiRepositories.path(owner.id), async () => {
    for (let left = MAX_ATTEMPTS - 1; ; left--) {
      signal.throwIfAborted()
      try {
        return await change()
      } catch (error) {
        if (!(error instanceof RefsMovedError)) throw error
        if (left === 0) throw apiError('wiki_changed')
      }
    }
  })
}

async function create(
  deps: WikiDeps,
  writer: WikiWriter,
  { title, content, format = 'markdown', message }: NewPage,
): Promise<string> {
  const slug = slugOf(title)
  checkSlug(slug)
  const bytes = contentOf(content)
  await ensureWiki(deps, writer.owner.id)
  const before = await headOfWiki(deps.wikiRepositories, writer.owner.id)
  if (before !== undefined && (await pageAt(deps, writer, before, slug))) {
    throw invalidRecord({ base: ['Duplicate page: A page with that title already exists'] })
  }
  const action = { action: 'create', path: pathOf(slug, format), content: bytes } as const
  await commit(deps, writer, {
    before,
    message: given(message) ?? messageOf(writer, 'created', title),
    action,
  })
  return slug
}

async function edit(
  deps: WikiDeps,
  writer: WikiWriter,
  currentSlug: string,
  changes: PageChanges,
): Promise<string> {
  const { title, content, format } = changes
  const page = await requireWikiPage(deps, writer.owner.id, { slug: currentSlug }, writer.signal)
  await refuseIfChanged(deps, writer, page, changes.last_commit_id)
  const isSameTitle = title === undefined || title === page.title
  const slug = isSameTitle ? page.slug : renamedSlug(page.slug, title)
  if (slug !== page.slug) {
    checkSlug(slug)
    const other = await pageAt(deps, writer, page.sha, slug)
    if (other && other.path !== page.path) {
      throw invalidRecord({ title: ['There is already a page with the same title in that path.'] })
    }
  }
  const isSamePlace = slug === page.slug && (format === undefined || format === page.format)
  const path = isSamePlace ? page.path : movedPath(page, slug, format)
  const bytes = content === undefined ? undefined : contentOf(content)
  const action = actionOf(page.path, path, bytes)
  const message = given(changes.message) ?? messageOf(writer, 'updated', title ?? page.title)
  if (action) await commit(deps, writer, { before: page.sha, message, action })
  return slug
}

async function remove(deps: WikiDeps, writer: WikiWriter, slug: string): Promise<void> {
  const page = await requireWikiPage(deps, writer.owner.id, { slug }, writer.signal)
  const message = messageOf(writer, 'deleted', page.title)
  const action = { action: 'delete', path: page.path } as const
  await commit(deps, writer, { before: page.sha, message, action })
}

async function refuseIfChanged(
  { wikiRepositories }: WikiDeps,
  { owner, signal }: WikiWriter,
  { sha, path }: WikiPage & { sha: string },
  known: string | undefined,
): Promise<void> {
  if (known === undefined) return
  const last = await lastCommitOf(wikiRepositories.reading(owner.id, signal), sha, path)
  if (!last?.startsWith(known)) throw apiError('wiki_page_changed')
}

function given(message: string | undefined): string | undefined {
  return message === undefined ? undefined : `${message.trim()}\n`
}

function renamed(action: FileAction): { from: string; to: string } | undefined {
  return action.action === 'move' ? { from: action.previousPath, to: action.path } : undefined
}

/** The extension stays unless the format changes. */
function movedPath(page: WikiPage, slug: string, format: NewFormat | undefined): string {
  if (format !== undefined && format !== page.format) return pathOf(slug, format)
  return slug + page.path.slice(page.path.lastIndexOf('.'))
}

function actionOf(from: string, path: string, content: Buffer | undefined): FileAction | undefined {
  if (path !== from) return { action: 'move', path, previousPath: from, content }
  return content && { action: 'update', path, content }
}

async function pageAt(
  { wikiRepositories }: WikiDeps,
  { owner, signal }: WikiWriter,
  sha: string,
  slug: string,
): Promise<WikiPage | undefined> {
  return findPage(wikiRepositories.reading(owner.id, signal), sha, slug)
}

function checkSlug(slug: string): void {
  const problem = problemOfSlug(slug)
  if (problem !== undefined) throw invalidRecord({ title: [problem] })
}

function contentOf(text: string): Buffer {
  const content = Buffer.from(text)
  if (content.length <= MAX_PAGE_BYTES) return content
  const megabytes = (content.length / 1024 / 1024).toFixed(2)
  throw invalidRecord({ content: [`is too long (${megabytes} MB). The maximum size is 5 MB.`] })
}

function messageOf({ user }: WikiWriter, verb: string, title: string): string {
  return `${user.username} ${verb} page: ${title.replace(/\s+/g, ' ')}\n`
}

/** Throws 400 for a path that git refuses, and `RefsMovedError` if another commit was faster. */
async function commit(
  deps: WikiDeps,
  { owner, user, signal }: WikiWriter,
  { before, message, action }: { before: string | undefined; message: string; action: FileAction },
): Promise<void> {
  try {
    await commitToMain(deps.wikiRepositories, owner.id, [action], { before, author: user, message, signal })
  } catch (error) {
    if (error instanceof FileChangeError) throw invalidRecord({ title: [error.message] })
    throw error
  }
  await emitChanges(deps, owner.id, user, renamed(action))
}
