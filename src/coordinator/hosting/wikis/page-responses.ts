import { lastCommitOf } from '../repositories/browse/commit-log.js'
import { headOfWiki } from './head-of-wiki.js'
import type { WikiOwner } from './owner-routes.js'
import { pathOf, slugOf } from './page-names.js'
import { presentVersion } from './page-versions.js'
import { listPages } from './pages.js'
import { htmlInWiki, presentBrief, presentPage, presentPages } from './present.js'
import type { PagePreview, PreviewPage } from './schema.js'
import type { WikiDeps } from './wiki-deps.js'
import { requireWikiPage, type WikiWriter } from './wikis.js'

/** In bytes. JSON escapes double the length of some pages. */
export const MAX_BODY_BYTES = 12 * 1024 * 1024

export interface PageResponseDeps extends WikiDeps {
  /** Public address without a trailing slash. */
  externalUrl: string
}

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

interface ShownPage {
  slug: string
  version?: string | undefined
  render_html?: boolean | undefined
  with_details?: boolean | undefined
}

/** Record of a page of a version of the wiki, by default the latest. Throws 404. */
export async function shownPage(
  deps: PageResponseDeps,
  owner: WikiOwner,
  params: ShownPage,
  signal: AbortSignal,
): Promise<object> {
  const { wikiRepositories } = deps
  const page = await requireWikiPage(deps, owner.id, params, signal)
  const reading = wikiRepositories.reading(owner.id, signal)
  const record = await presentPage(reading, page, params.render_html)
  if (!params.with_details) return record
  const text = params.render_html ? (await presentPage(reading, page)).content : record.content
  const last = (await lastCommitOf(reading, page.sha, page.path)) ?? page.sha
  return {
    ...record,
    html: await htmlInWiki(page, text, locationIn(deps, owner)),
    last_commit: presentVersion(await wikiRepositories.readCommit(owner.id, last), page.slug),
  }
}

/** A text as the page would be shown. */
export async function previewedPage(
  deps: PageResponseDeps,
  owner: WikiOwner,
  { content, title = '', format = 'markdown' }: PreviewPage,
): Promise<PagePreview> {
  const page = { format, path: pathOf(slugOf(title), format) }
  return { html: await htmlInWiki(page, content, locationIn(deps, owner)) }
}

/** Addresses to which links and pictures of pages lead. */
function locationIn({ externalUrl }: PageResponseDeps, { pages, files }: WikiOwner) {
  const base = new URL(externalUrl).pathname.replace(/\/$/, '')
  return { pages: base + pages, files: `${base}/api/v4${files}` }
}

/** Record of a page that was just changed. */
export function writtenPage(
  deps: PageResponseDeps,
  { owner, signal }: { owner: WikiOwner } & Pick<WikiWriter, 'signal'>,
  slug: string,
): Promise<object> {
  return shownPage(deps, owner, { slug }, signal)
}
