import { ObjectTooLargeError } from '../../../git/errors.js'
import { escapeInTurns } from '../../../lib/escape-in-turns.js'
import {
  type DocumentLocation,
  type LinksIn,
  renderMarkdown,
  renderMarkdownDocument,
} from '../../../lib/markdown/render-markdown.js'
import { type ApiError, apiError } from '../../http/errors.js'
import type { Reading } from '../repositories/browse/reading.js'
import type { WikiPage } from './pages.js'

/** In bytes. Pages that git pushed may be larger than those of the API. */
const MAX_SHOWN_BYTES = 16 * 1024 * 1024

/** Total size of the contents of a list, in bytes. */
const MAX_LIST_BYTES = 32 * 1024 * 1024

export function presentBrief({ format, slug, title }: WikiPage) {
  return { format, slug, title }
}

/** The page with its content. Throws 422 for one that is too large to be shown. */
export async function presentPage(reading: Reading, page: WikiPage, renderHtml = false) {
  const text = (await contentOf(reading, page)).toString('utf8')
  return {
    ...presentBrief(page),
    content: renderHtml ? await htmlOf(page, text) : text,
    encoding: 'UTF-8',
  }
}

/** Pages with their contents. Throws 422 if these are too large together. */
export async function presentPages(reading: Reading, pages: readonly WikiPage[]) {
  const records = []
  let bytes = 0
  for (const page of pages) {
    reading.signal.throwIfAborted()
    const record = await presentPage(reading, page)
    bytes += record.content.length
    if (bytes > MAX_LIST_BYTES) throw tooLarge('The wiki is')
    records.push(record)
  }
  return records
}

/** Formats other than Markdown are shown as they are. The result is safe to display. */
async function htmlOf({ format }: WikiPage, text: string): Promise<string> {
  return format === 'markdown' ? renderMarkdown(text) : `<pre>${await escapeInTurns(text)}</pre>`
}

/**
 * A page as HTML, whose links and pictures lead to pages and files of its wiki, and with links to what its references
 * name. The result is safe to display.
 */
export async function htmlInWiki(
  { format, path }: Pick<WikiPage, 'format' | 'path'>,
  text: string,
  wiki: { pages: string; files: string },
  linksIn: LinksIn,
): Promise<string> {
  if (format !== 'markdown') return `<pre>${await escapeInTurns(text)}</pre>`
  const location: DocumentLocation = { ...wiki, path }
  return renderMarkdownDocument(text, location, linksIn)
}

async function contentOf(reading: Reading, { slug, blob }: WikiPage): Promise<Buffer> {
  try {
    return (await reading.objects.readNamed(blob, MAX_SHOWN_BYTES)).content
  } catch (error) {
    if (error instanceof ObjectTooLargeError) throw tooLarge(`The page ${slug} is`)
    throw error
  }
}

function tooLarge(what: string): ApiError {
  return apiError('wiki_page_too_large', { what })
}
