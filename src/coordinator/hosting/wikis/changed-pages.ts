import { ObjectTooLargeError } from '../../../git/errors.js'
import type { WikiPageFacts } from '../../integrations/webhooks/outbox/emit-wiki-page-events.js'
import { type Reading, records } from '../repositories/browse/reading.js'
import type { Repositories } from '../repositories/repositories.js'
import { headOfWiki } from './head-of-wiki.js'
import { nameOfPath } from './page-names.js'
import { listPages } from './pages.js'

/** A page that a range of commits has changed. */
export interface ChangedPage extends Pick<WikiPageFacts, 'action' | 'slug' | 'title' | 'format' | 'blob'> {
  /** Its slug before, if it was renamed. */
  formerSlug?: string | undefined
}

/** Maximum number of pages of a push that get events. */
const MAX_PAGES = 100

/** Maximum number of lines of a difference; further ones are ignored. */
const MAX_RECORDS = 20_000

/** Git knows this tree without an object. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

/**
 * The pages that differ between two commits, in the order of their paths; `from` is null before the first commit. A page
 * whose content has moved is updated, and so is the one that is known to be `renamed`.
 */
export async function changedPages(
  reading: Reading,
  from: string | null,
  to: string,
  renamed?: { from: string; to: string },
): Promise<ChangedPage[]> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--find-renames', '-l1000']
  const found: string[] = []
  for await (const record of records(reading, [...args, '--end-of-options', from ?? EMPTY_TREE, to])) {
    if (found.push(record) === MAX_RECORDS) break
  }
  const changes = changesIn(found).filter(({ path }) => path !== renamed?.from)
  return changes.flatMap((change) => pageOf(change, renamed)).slice(0, MAX_PAGES)
}

interface Change {
  kind: string
  path: string
  /** The path before, if Git knows that the file was renamed. */
  formerPath: string | undefined
  mode: string
  blob: string
}

/** `:<old mode> <new mode> <old ID> <new ID> <kind>`, and then the path, of a rename both. */
function changesIn(lines: string[]): Change[] {
  const changes: Change[] = []
  for (let at = 0; at < lines.length;) {
    const [oldMode = '', mode = '', oldId = '', id = '', status = ''] = (lines[at++] ?? '')
      .slice(1)
      .split(' ')
    const kind = status.slice(0, 1)
    const first = lines[at++] ?? ''
    const path = kind === 'R' || kind === 'C' ? (lines[at++] ?? '') : first
    const formerPath = kind === 'R' ? first : undefined
    const content = kind === 'D' ? { mode: oldMode, blob: oldId } : { mode, blob: id }
    changes.push({ kind, path, formerPath, ...content })
  }
  return changes
}

function pageOf(
  { kind, path, formerPath, mode, blob }: Change,
  renamed: { from: string; to: string } | undefined,
): ChangedPage[] {
  const name = mode === '120000' || mode === '160000' ? undefined : nameOfPath(path)
  if (!name) return []
  if (kind === 'D') return [{ ...name, blob, action: 'delete' }]
  const former = nameOfPath(path === renamed?.to ? renamed.from : (formerPath ?? ''))
  const isNew = kind === 'A' && path !== renamed?.to
  return [{ ...name, blob, action: isNew ? 'create' : 'update', formerSlug: former?.slug }]
}

/** The first page, as if the user had just created it, for tests of webhooks; undefined if there is none. */
export async function samplePage(
  wikiRepositories: Repositories,
  projectId: number,
  userId: number,
): Promise<WikiPageFacts | undefined> {
  const sha = await headOfWiki(wikiRepositories, projectId)
  if (sha === undefined) return undefined
  const [page] = await listPages(wikiRepositories.reading(projectId, new AbortController().signal), sha)
  const { title: message } = await wikiRepositories.readCommit(projectId, sha)
  if (!page) return undefined
  const { slug, title, format, blob } = page
  return { action: 'create', slug, title, format, blob, sha, message, userId }
}

/** In bytes. */
const MAX_CONTENT_BYTES = 5 * 1024 * 1024

/** Content of a page as UTF-8; empty for a larger one, which only git creates. */
export async function wikiContent(
  wikiRepositories: Repositories,
  projectId: number,
  objectId: string,
): Promise<string> {
  const { objects } = wikiRepositories.reading(projectId, new AbortController().signal)
  try {
    return (await objects.readNamed(objectId, MAX_CONTENT_BYTES)).content.toString('utf8')
  } catch (error) {
    if (error instanceof ObjectTooLargeError) return ''
    throw error
  }
}
