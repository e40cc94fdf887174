import { LRUCache } from 'lru-cache'
import MarkdownIt, { type Token } from 'markdown-it'

import { escapeMarkup } from './escape-markup.js'

/** Longer texts are not rendered, which bounds the cost. Characters. */
const LONGEST_TEXT = 64 * 1024
/** Total length of the texts whose HTML is cached. Characters. */
const CACHED_TEXTS = 1024 * 1024
/** What the addresses and titles of the links of a text may hold together beside the text itself. Characters. */
const LINK_ALLOWANCE = 64 * 1024

const SAFE_SCHEMES = new Set(['http', 'https', 'mailto', 'ftp'])

const markdown = new MarkdownIt({ html: false, linkify: true })
// Addresses without a scheme, such as `#part` and `docs/a.md`, lead to where the text is shown.
markdown.validateLink = (url) =>
  SAFE_SCHEMES.has(/^([^/?#]*):/.exec(url)?.[1]?.trim().toLowerCase() ?? 'http')
markdown.core.ruler.push('guard_links', ({ tokens, src }) => guardLinks(tokens, src.length + LINK_ALLOWANCE))

const rendered = new LRUCache<string, string>({
  maxSize: CACHED_TEXTS,
  sizeCalculation: (_html, text) => Math.max(1, text.length),
  memoMethod: (text) => markdown.render(text),
})

/**
 * The HTML of a text in Markdown (CommonMark with tables, strikethrough and bare addresses). It is safe to be shown: markup in
 * the text is text, and links lead nowhere but to http, https, ftp and mail. Takes less than half a second for the worst text.
 */
export function renderMarkdown(text: string): string {
  return text.length > LONGEST_TEXT ? `<pre>${escapeMarkup(text)}</pre>` : rendered.memo(text)
}

/**
 * Links do not vouch for what they lead to. One definition can be referred to thousands of times, which would turn a small
 * text into hundreds of megabytes: links past `allowance` characters of addresses and titles lead nowhere.
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
