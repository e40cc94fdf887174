import { LRUCache } from 'lru-cache'
import MarkdownIt, { type Token } from 'markdown-it'

import { escapeMarkup } from './escape-markup.js'

/** In characters. Longer texts are not rendered, which limits the cost. */
const LONGEST_TEXT = 64 * 1024
/** Total length of the texts whose HTML is cached, in characters. */
const CACHED_TEXTS = 1024 * 1024
/** Total length of the URLs and titles of links that may be added to a text, in characters. */
const LINK_ALLOWANCE = 64 * 1024

const NOT_ENDORSED = 'nofollow noreferrer noopener'

const SAFE_SCHEMES = new Set(['http', 'https', 'mailto', 'ftp'])

const markdown = new MarkdownIt({ html: false, linkify: true })
// URLs without a scheme, such as `#part` and `docs/a.md`, are relative to the page that shows the text.
markdown.validateLink = (url) =>
  SAFE_SCHEMES.has(/^([^/?#]*):/.exec(url)?.[1]?.trim().toLowerCase() ?? 'http')
markdown.core.ruler.push('guard_links', ({ tokens, src }) => guardLinks(tokens, src.length + LINK_ALLOWANCE))

// A character with a backslash refers to nothing. As a token of its own it stays apart from the text around it.
markdown.core.ruler.before('text_join', 'keep_escapes', ({ tokens }) => {
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    if (token.type === 'text_special' && /^[#!$~%@]$/.test(token.content)) token.type = 'escaped_sigil'
  }
})
markdown.renderer.rules.escaped_sigil = (tokens, index) => escapeMarkup(tokens[index]?.content ?? '')
markdown.renderer.rules.task_box = (tokens, index, options, _, renderer) =>
  `${renderer.renderToken(tokens, index, options)} `

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

/** A part of a text that becomes a link of this instance. */
export interface TextLink {
  start: number
  end: number
  href: string
  /** What the link shows. */
  text: string
  /** More attributes: `title`, `class`. */
  attributes: Readonly<Record<string, string>>
}

/** A text without markup that a Markdown text shows. `isUrl`: it is a URL that was written as such. */
export interface ShownText {
  text: string
  isUrl: boolean
}

/**
 * Renders Markdown as `renderMarkdown` does, with task lists, and with links to what this instance knows. `linksIn`
 * is called once with all texts outside of code and links, and returns the links of each, in order and without overlaps.
 */
export async function renderMarkdownWithLinks(
  text: string,
  linksIn: (texts: readonly ShownText[]) => Promise<readonly (readonly TextLink[])[]>,
): Promise<string> {
  if (text.length > LONGEST_TEXT) return renderMarkdown(text)
  const tokens = markdown.parse(text, {})
  markTasks(tokens)
  const lines = tokens.flatMap(({ children }) => (children ? [children] : []))
  const shown = lines.map(shownTexts)
  const links = await linksIn(shown.flatMap((places) => places.map(({ text, isUrl }) => ({ text, isUrl }))))
  let from = 0
  for (const [index, children] of lines.entries()) {
    const places = shown[index] ?? []
    const found = links.slice(from, (from += places.length))
    // From the last to the first, so that the places of the others stay.
    for (const [at, { start, length, text }] of [...places.entries()].toReversed()) {
      const linked = found[at] ?? []
      if (linked.length > 0) children.splice(start, length, ...withLinks(text, linked))
    }
  }
  return markdown.renderer.render(tokens, markdown.options, {})
}

/** Addresses in a document that refers to files beside it. */
export interface DocumentAddresses {
  /** Address of the page for a link without a scheme and host. */
  page: (url: string) => string
  /** Address of the bytes for a picture without a scheme and host. */
  picture: (url: string) => string
}

/** Before the names of headings, so that no name of the document is one of the page that shows it. */
const HEADING_PREFIX = 'user-content-'

/**
 * Renders a document as `renderMarkdown` does, with task lists. Headings have ids, to which links such as `#install`
 * lead. Links and pictures without a host get the `addresses`, and pictures of other hosts become links.
 */
export function renderMarkdownDocument(text: string, addresses: DocumentAddresses): string {
  if (text.length > LONGEST_TEXT) return renderMarkdown(text)
  const tokens = markdown.parse(text, {})
  markTasks(tokens)
  nameHeadings(tokens)
  for (const token of tokens) {
    if (token.children) token.children = withAddresses(token.children, addresses)
  }
  return markdown.renderer.render(tokens, markdown.options, {})
}

function nameHeadings(tokens: readonly Token[]): void {
  const uses = new Map<string, number>()
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue
    const name = headingName(tokens[index + 1]?.children ?? [])
    const earlier = uses.get(name) ?? 0
    uses.set(name, earlier + 1)
    token.attrSet('id', `${HEADING_PREFIX}${name}${earlier === 0 ? '' : `-${earlier}`}`)
  }
}

/** The text of a heading in lower case, with `-` for spaces and without punctuation. */
function headingName(children: readonly Token[]): string {
  const text = children.map(({ content }) => content).join('')
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
}

function withAddresses(children: readonly Token[], addresses: DocumentAddresses): Token[] {
  let depth = 0
  return children.flatMap((token) => {
    if (token.type === 'link_close') depth -= 1
    if (token.type === 'link_open') {
      depth += 1
      token.attrSet('href', linkAddress(String(token.attrGet('href') ?? ''), addresses))
    }
    if (token.type !== 'image') return [token]
    const url = String(token.attrGet('src') ?? '')
    if (!isOnOtherHost(url)) {
      token.attrSet('src', url === '' ? '' : addresses.picture(url))
      return [token]
    }
    const shown = textToken(token.content || url)
    return depth > 0 ? [shown] : [linkToken(url), shown, newToken('link_close', 'a', -1)]
  })
}

function linkAddress(url: string, { page }: DocumentAddresses): string {
  if (url === '' || isOnOtherHost(url)) return url
  return url.startsWith('#') ? `#${HEADING_PREFIX}${url.slice(1)}` : page(url)
}

function linkToken(href: string): Token {
  const token = newToken('link_open', 'a', 1)
  token.attrs = [
    ['href', href],
    ['rel', NOT_ENDORSED],
  ]
  return token
}

/** Whether the URL has a scheme or a host. */
function isOnOtherHost(url: string): boolean {
  return url.startsWith('//') || /^[^/?#]*:/.test(url)
}

/** Tokens of a line that show a text without markup. */
interface Place extends ShownText {
  /** Index of the first token. */
  start: number
  /** Number of tokens. */
  length: number
}

function shownTexts(children: readonly Token[]): Place[] {
  const places: Place[] = []
  let depth = 0
  for (const [index, token] of children.entries()) {
    if (token.type === 'link_open') {
      depth += 1
      const isUrl = token.info === 'auto' && children[index + 2]?.type === 'link_close'
      if (isUrl && depth === 1) {
        places.push({ start: index, length: 3, text: String(token.attrGet('href')), isUrl })
      }
    } else if (token.type === 'link_close') depth -= 1
    else if (token.type === 'text' && depth === 0) {
      places.push({ start: index, length: 1, text: token.content, isUrl: false })
    }
  }
  return places
}

function withLinks(text: string, links: readonly TextLink[]): Token[] {
  const tokens: Token[] = []
  let from = 0
  for (const { start, end, href, text: shown, attributes } of links) {
    tokens.push(textToken(text.slice(from, start)))
    const open = newToken('link_open', 'a', 1)
    open.attrs = [['href', href], ...Object.entries(attributes)]
    tokens.push(open, textToken(shown), newToken('link_close', 'a', -1))
    from = end
  }
  return [...tokens, textToken(text.slice(from))]
}

const { Token: TokenOf } = new markdown.core.State('', markdown, {})

function newToken(type: string, tag: string, nesting: Token['nesting']): Token {
  return new TokenOf(type, tag, nesting)
}

function textToken(content: string): Token {
  const token = newToken('text', '', 0)
  token.content = content
  return token
}

const BOX = /^\[([ xX])\] +(?=\S)/

/** Turns `[ ]` and `[x]` at the start of list items into boxes. */
function markTasks(tokens: readonly Token[]): void {
  const lists: Token[] = []
  for (const [index, token] of tokens.entries()) {
    if (/^(bullet|ordered)_list_open$/.test(token.type)) lists.push(token)
    else if (/^(bullet|ordered)_list_close$/.test(token.type)) lists.pop()
    if (token.type !== 'list_item_open') continue
    const children = tokens[index + 2]?.children
    const [first] = children ?? []
    const box = first?.type === 'text' ? BOX.exec(first.content) : null
    if (!children || !first || !box) continue
    first.content = first.content.slice(box[0].length)
    children.unshift(boxToken(box[1] !== ' '))
    token.attrSet('class', 'task-list-item')
    lists.at(-1)?.attrSet('class', 'task-list')
  }
}

function boxToken(isChecked: boolean): Token {
  const token = newToken('task_box', 'input', 0)
  token.attrs = [
    ['type', 'checkbox'],
    ['class', 'task-list-item-checkbox'],
    ['disabled', ''],
    ...(isChecked ? [['checked', ''] as [string, string]] : []),
  ]
  return token
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
    else if (token.type === 'link_open') token.attrSet('rel', NOT_ENDORSED)
  }
}
