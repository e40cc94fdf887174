import { headOfWiki } from './head-of-wiki.js'
import { listPages } from './pages.js'
import { presentBrief, presentPage, presentPages } from './present.js'
import type { WikiDeps } from './wiki-deps.js'
import { requireWikiPage, type WikiWriter } from './wikis.js'

/** In bytes. JSON escapes double the length of some pages. */
export const MAX_BODY_BYTES = 12 * 1024 * 1024

/** Records of all pages of a wiki, by their slugs. */
export async function listedPages(
  { wikiRepositories }: WikiDeps,
  ownerId: number,
  { with_content: withContent }: { with_content?: boolean | undefined },
  signal: AbortSignal,
): Promise<object[]> {
  const head = await headOfWiki(wikiRepositories, ownerId)
  if (head === undefined) return []
  const reading = wikiRepositories.reading(ownerId, signal)
  const pages = await listPages(reading, head)
  return withContent ? presentPages(reading, pages) : pages.map(presentBrief)
}

/** Record of a page of a version of the wiki, by default the latest. Throws 404. */
export async function shownPage(
  deps: WikiDeps,
  ownerId: number,
  params: { slug: string; version?: string | undefined; render_html?: boolean | undefined },
  signal: AbortSignal,
): Promise<object> {
  const page = await requireWikiPage(deps, ownerId, params, signal)
  return presentPage(deps.wikiRepositories.reading(ownerId, signal), page, params.render_html)
}

/** Record of a page that was just changed. */
export function writtenPage(
  deps: WikiDeps,
  { owner, signal }: Pick<WikiWriter, 'owner' | 'signal'>,
  slug: string,
): Promise<object> {
  return shownPage(deps, owner.id, { slug }, signal)
}
