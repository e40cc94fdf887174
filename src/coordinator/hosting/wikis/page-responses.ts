import type { LinksIn } from '../../../lib/markdown/render-markdown.js'
import type { Project, User } from '../../access/caller.js'
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
  /** Finds what the references of texts name. Short ones belong to the project `context`; a group has none. */
  linksFor: (reader: { context: Project | undefined; user: User | undefined }) => LinksIn
}

/** A wiki, and who reads it. */
interface WikiReader {
  owner: WikiOwner
  user: User | undefined
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
  reader: WikiReader,
  params: ShownPage,
  signal: AbortSignal,
): Promise<object> {
  const { wikiRepositories } = deps
  const { owner } = reader
  const page = await requireWikiPage(deps, owner.id, params, signal)
  const reading = wikiRepositories.reading(owner.id, signal)
  const record = await presentPage(reading, page, params.render_html)
  if (!params.with_details) return record
  const text = params.render_html ? (await presentPage(reading, page)).content : record.content
  const last = (await lastCommitOf(reading, page.sha, page.path)) ?? page.sha
  return {
    ...record,
    html: await htmlOf(deps, reader, page, text),
    last_commit: presentVersion(await wikiRepositories.readCommit(owner.id, last), page.slug),
  }
}

/** A text as the page would be shown. */
export async function previewedPage(
  deps: PageResponseDeps,
  reader: WikiReader,
  { content, title = '', format = 'markdown' }: PreviewPage,
): Promise<PagePreview> {
  const page = { format, path: pathOf(slugOf(title), format) }
  return { html: await htmlOf(deps, reader, page, content) }
}

function htmlOf(
  { externalUrl, linksFor }: PageResponseDeps,
  { owner: { project, pages, files }, user }: WikiReader,
  page: Parameters<typeof htmlInWiki>[0],
  text: string,
): Promise<string> {
  const base = new URL(externalUrl).pathname.replace(/\/$/, '')
  const location = { pages: base + pages, files: `${base}/api/v4${files}` }
  return htmlInWiki(page, text, location, linksFor({ context: project, user }))
}

/** Record of a page that was just changed. */
export function writtenPage(
  deps: PageResponseDeps,
  { signal, ...reader }: WikiReader & Pick<WikiWriter, 'signal'>,
  slug: string,
): Promise<object> {
  return shownPage(deps, reader, { slug }, signal)
}
