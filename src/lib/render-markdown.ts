import { LRUCache } from 'lru-cache'
import MarkdownIt, { type Token } from 'markdown-it'

import { escapeMarkup } from './escape-markup.js'

/** In characters. Longer texts are not rendered, which limits the cost. */
const LONGEST_TEXT = 64 * 1024
/** Total length of the texts whose HTML is cached, in characters. */
const CACHED_TEXTS = 1024 * 1024
/** Total length of the URLs and titles of links that may be added to a text, in characters. */
const LINK_ALLOWANCE = 64 * 1024

const SAFE_SCHEMES = new Set(['http', 'https', 'mailto', 'ftp'])

const markdown = new MarkdownIt({ html: false, linkify: true })
// URLs without a scheme, such as `#part` and `docs/a.md`, are relative to the page that shows the text.
markdown.validateLink = (url) =>
  SAFE_SCHEMES.has(/^([^/?#]*):/.exec(url)?.[1]?.trim().toLowerCase() ?? 'http')
markdown.core.ruler.push('guard_links', ({ tokens, src }) => guardLinks(tokens, src.length + LINK_ALLOWANCE))

const rendered = new LRUCache<string, string>({
  maxSize: CACHED_TEXTS,
  sizeCalculation: (_html, text) => Math.max(1, text.length),
  memoMethod: (text) => markdown.render(text),
})

/**
 * Renders Markdown as HTML (CommonMark with tables, strikethrough and bare URLs). The result is safe to display:
 * markup in the text is escaped, and links use only http, https, ftp and mailto. Takes less than half a second for
 * the worst text.
 */
export function renderMarkdown(text: string): string {
  return text.length > LONGEST_TEXT ? `<pre>${escapeMarkup(text)}</pre>` : rendered.memo(text)
}

/**
 * Marks links as not endorsed. One definition can be referenced thousands of times, which could turn a small text
 * into hundreds of megabytes. Therefore links have no target after `allowance` characters of URLs and titles.
 */
function guardLinks(tokens: Token[], allowance: number): void {
  let left = allowance
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    if (token.type !== 'link_open' && token.type !== 'image') continue
    left -= (token.attrs ?? []).reduce((sum, [, value]) => sum + String(value).length, 0)
    if (left < 0) token.attrs = (token.attrs ?? []).map(([name]) => [name, ''])
    else if (token.type === 'link_open') token.attrSet('rel', 'nofollow noreferrer noopener')
  }
}
