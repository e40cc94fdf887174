import type { Commit } from '../../../git/parse-commit.js'
import { notFound } from '../../http/errors.js'
import { type Page, page, type Paging } from '../../http/page.js'
import { commitById } from '../repositories/browse/commit-log.js'
import { type DiffEntry, presentDiffs } from '../repositories/browse/diff-record.js'
import { diffOf, type FileDiff } from '../repositories/browse/diffs.js'
import { type Reading, records } from '../repositories/browse/reading.js'
import { nameOfPath, slugOf } from './page-names.js'
import { findPage } from './pages.js'
import type { WikiVersion } from './schema.js'
import type { WikiDeps } from './wiki-deps.js'
import { requireWikiPage } from './wikis.js'

/** The commits that changed a page, newest first, also those from before it was renamed. Throws 404. */
export async function pageVersions(
  deps: WikiDeps,
  ownerId: number,
  slug: string,
  { offset, perPage }: Paging,
  signal: AbortSignal,
): Promise<Page> {
  const { sha, path } = await requireWikiPage(deps, ownerId, { slug }, signal)
  const reading = deps.wikiRepositories.reading(ownerId, signal)
  const versions: WikiVersion[] = []
  let place = 0
  for await (const { id, path: pathThen } of changesOf(reading, sha, path)) {
    if (place++ < offset) continue
    const name = nameOfPath(pathThen)
    versions.push(presentVersion(await commitById(reading, id), name?.slug ?? null))
    if (versions.length === perPage) break
  }
  return page(versions)
}

export function presentVersion(
  { id, title, authorName, authoredDate }: Commit,
  slug: string | null,
): WikiVersion {
  return {
    id,
    short_id: id.slice(0, 8),
    title,
    author_name: authorName,
    authored_date: authoredDate,
    slug,
  }
}

/** Commits that changed a file, and its path at each of them. Git prints the path after the ID, with a line break before it. */
async function* changesOf(
  reading: Reading,
  sha: string,
  path: string,
): AsyncGenerator<{ id: string; path: string }> {
  let id: string | undefined
  const args = ['log', '--follow', '--name-only', '-z', '--format=%H', sha, '--', path]
  for await (const record of records(reading, args)) {
    if (!record.startsWith('\n')) id = record
    else if (id !== undefined) yield { id, path: record.slice(1) }
  }
}

/**
 * What a version of a page changed, or the changes from one version to another. If the page had another name then, these
 * are the changes of all pages. Throws 404 for an unknown page or version.
 */
export async function pageDiff(
  deps: WikiDeps,
  ownerId: number,
  { slug, from, to }: { slug: string; from?: string | undefined; to: string },
  signal: AbortSignal,
): Promise<DiffEntry[]> {
  const reading = deps.wikiRepositories.reading(ownerId, signal)
  const { path } = await requireWikiPage(deps, ownerId, { slug }, signal)
  const end = await requireVersion(deps, ownerId, to)
  const start =
    from === undefined
      ? (await commitById(reading, end)).parentIds[0]
      : await requireVersion(deps, ownerId, from)
  const { files } = await diffOf(reading, { from: start, to: end })
  const then = await findPage(reading, end, slugOf(slug))
  const paths = new Set([path, then?.path])
  const ofPage = ({ oldPath, newPath }: FileDiff) => paths.has(newPath) || paths.has(oldPath)
  const isPage = ({ oldPath, newPath }: FileDiff) =>
    nameOfPath(newPath) !== undefined || nameOfPath(oldPath) !== undefined
  return presentDiffs(reading, end, files.filter(then ? ofPage : isPage))
}

async function requireVersion({ wikiRepositories }: WikiDeps, ownerId: number, id: string): Promise<string> {
  const sha = await wikiRepositories.resolveCommit(ownerId, id)
  if (sha === undefined) throw notFound('Version')
  return sha
}
