import type { Reading } from '../repositories/browse/reading.js'
import { findEntries, treeEntries, type TreeEntry } from '../repositories/browse/tree-entries.js'
import { nameOfPath, type PageName, pathsOf } from './page-names.js'

/** A page of one version of a wiki. */
export interface WikiPage extends PageName {
  /** Path of its file. */
  path: string
  /** Object ID of its content. */
  blob: string
}

/** Maximum number of pages of a list; further ones are left out. */
const MAX_PAGES = 10_000

const ORDER = new Intl.Collator('en')

/** All pages of a commit, by their slugs. */
export async function listPages(reading: Reading, sha: string): Promise<WikiPage[]> {
  const pages: WikiPage[] = []
  for await (const page of pagesOf(reading, sha)) if (pages.push(page) === MAX_PAGES) break
  return pages.sort((a, b) => ORDER.compare(a.slug, b.slug))
}

/**
 * The page with this slug. Its file may have any extension of a page, and spaces or capitals that the slug does not have;
 * the one that has exactly this name comes first.
 */
export async function findPage(reading: Reading, sha: string, slug: string): Promise<WikiPage | undefined> {
  const paths = pathsOf(slug)
  const exact = await findEntries(reading, sha, paths)
  for (const path of paths) {
    const page = pageOf(exact.get(path))
    if (page) return page
  }
  let similar: WikiPage | undefined
  for await (const page of pagesOf(reading, sha)) {
    if (page.slug === slug) return page
    if (page.slug.toLowerCase() === slug.toLowerCase()) similar ??= page
  }
  return similar
}

async function* pagesOf(reading: Reading, sha: string): AsyncGenerator<WikiPage> {
  for await (const entry of treeEntries(reading, sha, { prefix: '', isRecursive: true })) {
    const page = pageOf(entry)
    if (page) yield page
  }
}

/** Symbolic links and submodules, which only git creates, are no pages. */
function pageOf(entry: TreeEntry | undefined): WikiPage | undefined {
  if (entry?.type !== 'blob' || entry.mode === '120000') return undefined
  const name = nameOfPath(entry.path)
  return name && { ...name, path: entry.path, blob: entry.id }
}
