// Markdown as HTML, without a limit of time: render-markdown.ts has one. JavaScript, because Node.js also has to load it
// from src/ in a worker thread, without the bundle.
import MarkdownIt from 'markdown-it'

import { escapeMarkup } from '../escape-markup.js'
import { createDocumentAddresses } from './document-addresses.js'

/** @typedef {import('markdown-it').Token} Token */

/**
 * A part of a text that becomes a link of this instance. `text` is what the link shows; `attributes` are more
 * attributes: `title`, `class`.
 * @typedef {{ start: number, end: number, href: string, text: string,
 *   attributes: Readonly<Record<string, string>> }} TextLink
 */

/**
 * A text without markup that a Markdown text shows. `isUrl`: it is a URL that was written as such.
 * @typedef {{ text: string, isUrl: boolean }} ShownText
 */

/**
 * What can be made of a text:
 * - `html`: HTML
 * - `inline`: HTML of one paragraph, without an element of its own: no headings, lists or other blocks
 * - `texts`: the texts outside of code and links, as `ShownText`s; `isWiki`: of a page of a wiki
 * - `linked`: HTML with task lists, and with the links in each of these texts, in order and without overlaps
 * - `document`: HTML with task lists. Headings have ids, to which links such as `#install` lead. Links and pictures
 *   without a host lead to the files of the repository, and pictures of other hosts become links. `links` as above.
 * @typedef {{ kind: 'html' | 'inline', text: string }
 *   | { kind: 'texts', text: string, isWiki?: boolean }
 *   | { kind: 'linked', text: string, links: readonly (readonly TextLink[])[] }
 *   | { kind: 'document', text: string, location: import('./document-addresses.js').DocumentLocation,
 *     links?: readonly (readonly TextLink[])[] }} MarkdownTask
 */

/** Total length of the URLs and titles of links that may be added to a text, in characters. */
const LINK_ALLOWANCE = 64 * 1024
/** In characters. Of a longer URL that is written as such, only the start is a link. */
const MAX_URL_LENGTH = 2048

const NOT_ENDORSED = 'nofollow noreferrer noopener'

const SAFE_SCHEMES = new Set(['http', 'https', 'mailto', 'ftp'])

const markdown = new MarkdownIt({ html: false, linkify: true })
markdown.linkify.set({ maxLength: MAX_URL_LENGTH })
// The rule of linkify-it reads a URL to its end before it looks at what precedes it, again for each `//` in the URL.
markdown.linkify.add('//', {
  validate: (text, position, { re }) => {
    if (/[:/]/.test(text[position - '//'.length - 1] ?? '')) return 0
    const pattern = re.get_relative_proto_validator()
    pattern.lastIndex = position
    return pattern.exec(text)?.[0].length ?? 0
  },
})
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
/** `[[Page title]]`, or `[[text|Page title]]`. `[[_TOC_]]` is a mark of other renderers. */
const WIKI_LINK = /\[\[(?!_TOC_)([^[\]|\n]{1,1024})(?:\|([^[\]|\n]{1,1024}))?\]\]/y

markdown.inline.ruler.before('link', 'wiki_link', (state, isSilent) => {
  const isBegun = state.src.startsWith('[[', state.pos)
  if (!state.env.isWiki || state.linkLevel > 0 || !isBegun) return false
  WIKI_LINK.lastIndex = state.pos
  const [whole, text = '', title = text] = WIKI_LINK.exec(state.src) ?? []
  if (whole === undefined) return false
  const [, path = '', part = ''] = /^([^#]*)(#.*)?$/.exec(title.trim()) ?? []
  const href = state.md.normalizeLink(path === '' ? part : `/${path.trim().replace(/ +/g, '-')}${part}`)
  if (!state.md.validateLink(href)) return false
  if (!isSilent) {
    state.push('link_open', 'a', 1).attrs = [['href', href]]
    state.push('text', '', 0).content = text.trim()
    state.push('link_close', 'a', -1)
  }
  state.pos += whole.length
  return true
})
// The policy of the pages refuses the attribute `style`, with which cells are aligned by default.
markdown.core.ruler.push('align_cells', ({ tokens }) => {
  for (const { type, attrs } of tokens) {
    const style = /^t[hd]_open$/.test(type) ? attrs?.find(([name]) => name === 'style') : undefined
    if (style) [style[0], style[1]] = ['align', String(style[1]).replace('text-align:', '')]
  }
})
markdown.renderer.rules.escaped_sigil = (tokens, index) => escapeMarkup(tokens[index]?.content ?? '')
markdown.renderer.rules.task_box = (tokens, index, options, _, renderer) =>
  `${renderer.renderToken(tokens, index, options)} `

/**
 * CommonMark with tables, strikethrough and bare URLs. HTML is safe to display: markup in the text is escaped, and links
 * use only http, https, ftp and mailto.
 * @param {MarkdownTask} task
 * @returns {string | ShownText[]}
 */
export function performMarkdownTask(task) {
  const isWiki = task.kind === 'texts' ? task.isWiki : task.kind === 'document' && 'pages' in task.location
  const environment = { isWiki }
  const tokens =
    task.kind === 'inline'
      ? markdown.parseInline(task.text, environment)
      : markdown.parse(task.text, environment)
  if (task.kind !== 'html' && task.kind !== 'inline') markTasks(tokens)
  if (task.kind === 'texts') {
    return linesOf(tokens).flatMap((line) => findTexts(line).map(({ text, isUrl }) => ({ text, isUrl })))
  }
  if (task.kind === 'document') addAddresses(tokens, createDocumentAddresses(task.location))
  if ('links' in task && task.links) addLinks(tokens, task.links)
  return markdown.renderer.render(tokens, markdown.options, {})
}

/** @param {readonly Token[]} tokens */
function linesOf(tokens) {
  return tokens.flatMap(({ children }) => (children ? [children] : []))
}

/**
 * @param {readonly Token[]} tokens
 * @param {readonly (readonly TextLink[])[]} links
 */
function addLinks(tokens, links) {
  let from = 0
  for (const children of linesOf(tokens)) {
    const matches = findTexts(children)
    const found = links.slice(from, (from += matches.length))
    if (found.every(({ length }) => length === 0)) continue
    /** @type {Token[]} */
    const linked = []
    let end = 0
    for (const [at, { start, length, text }] of matches.entries()) {
      const here = found[at] ?? []
      if (here.length === 0) continue
      for (const token of children.slice(end, start)) linked.push(token)
      for (const token of withLinks(text, here)) linked.push(token)
      end = start + length
    }
    for (const token of children.slice(end)) linked.push(token)
    children.length = 0
    for (const token of linked) children.push(token)
  }
}

/**
 * @param {readonly Token[]} tokens
 * @param {DocumentAddresses} addresses
 */
function addAddresses(tokens, addresses) {
  nameHeadings(tokens)
  for (const token of tokens) {
    if (token.children) token.children = withAddresses(token.children, addresses)
  }
}

/** @typedef {ReturnType<typeof createDocumentAddresses>} DocumentAddresses */

/** Before the names of headings, so that no name of the document is one of the page that shows it. */
const HEADING_PREFIX = 'user-content-'

/** @param {readonly Token[]} tokens */
function nameHeadings(tokens) {
  /** @type {Map<string, number>} */
  const uses = new Map()
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue
    const name = headingName(tokens[index + 1]?.children ?? [])
    const earlier = uses.get(name) ?? 0
    uses.set(name, earlier + 1)
    token.attrSet('id', `${HEADING_PREFIX}${name}${earlier === 0 ? '' : `-${earlier}`}`)
  }
}

/**
 * The text of a heading in lower case, with `-` for spaces and without punctuation.
 * @param {readonly Token[]} children
 */
function headingName(children) {
  const text = children.map(({ content }) => content).join('')
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
}

/**
 * @param {readonly Token[]} children
 * @param {DocumentAddresses} addresses
 * @returns {Token[]}
 */
function withAddresses(children, addresses) {
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

/**
 * @param {string} url
 * @param {DocumentAddresses} addresses
 */
function linkAddress(url, { page }) {
  if (url === '' || isOnOtherHost(url)) return url
  return url.startsWith('#') ? `#${HEADING_PREFIX}${url.slice(1)}` : page(url)
}

/** @param {string} href */
function linkToken(href) {
  const token = newToken('link_open', 'a', 1)
  token.attrs = [
    ['href', href],
    ['rel', NOT_ENDORSED],
  ]
  return token
}

/**
 * Whether the URL has a scheme or a host.
 * @param {string} url
 */
function isOnOtherHost(url) {
  return url.startsWith('//') || /^[^/?#]*:/.test(url)
}

/**
 * The tokens of a line that show a text without markup: `length` of them from the index `start`.
 * @param {readonly Token[]} children
 */
function findTexts(children) {
  /** @type {(ShownText & { start: number, length: number })[]} */
  const matches = []
  let depth = 0
  for (const [index, token] of children.entries()) {
    if (token.type === 'link_open') {
      depth += 1
      const isUrl = token.info === 'auto' && children[index + 2]?.type === 'link_close'
      if (isUrl && depth === 1) {
        matches.push({ start: index, length: 3, text: String(token.attrGet('href')), isUrl })
      }
    } else if (token.type === 'link_close') depth -= 1
    else if (token.type === 'text' && depth === 0) {
      matches.push({ start: index, length: 1, text: token.content, isUrl: false })
    }
  }
  return matches
}

/**
 * @param {string} text
 * @param {readonly TextLink[]} links
 */
function withLinks(text, links) {
  /** @type {Token[]} */
  const tokens = []
  let from = 0
  for (const { start, end, href, text: shown, attributes } of links) {
    tokens.push(textToken(text.slice(from, start)))
    const open = newToken('link_open', 'a', 1)
    open.attrs = [['href', href], ...Object.entries(attributes)]
    tokens.push(open, textToken(shown), newToken('link_close', 'a', -1))
    from = end
  }
  tokens.push(textToken(text.slice(from)))
  return tokens
}

const { Token: TokenOf } = new markdown.core.State('', markdown, {})

/**
 * @param {string} type
 * @param {string} tag
 * @param {Token['nesting']} nesting
 * @returns {Token}
 */
function newToken(type, tag, nesting) {
  return new TokenOf(type, tag, nesting)
}

/** @param {string} content */
function textToken(content) {
  const token = newToken('text', '', 0)
  token.content = content
  return token
}

const BOX = /^\[([ xX])\] +(?=\S)/

/**
 * Turns `[ ]` and `[x]` at the start of list items into boxes.
 * @param {readonly Token[]} tokens
 */
function markTasks(tokens) {
  /** @type {Token[]} */
  const lists = []
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

/** @param {boolean} isChecked */
function boxToken(isChecked) {
  const token = newToken('task_box', 'input', 0)
  token.attrs = [
    ['type', 'checkbox'],
    ['class', 'task-list-item-checkbox'],
    ['disabled', ''],
  ]
  if (isChecked) token.attrs.push(['checked', ''])
  return token
}

/**
 * Marks links as not endorsed. One definition can be referenced thousands of times, which could turn a small text
 * into hundreds of megabytes. Therefore links have no target after `allowance` characters of URLs and titles.
 * @param {Token[]} tokens
 * @param {number} allowance
 */
function guardLinks(tokens, allowance) {
  let left = allowance
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    if (token.type !== 'link_open' && token.type !== 'image') continue
    left -= (token.attrs ?? []).reduce((sum, [, value]) => sum + String(value).length, 0)
    if (left < 0) token.attrs = (token.attrs ?? []).map(([name]) => [name, ''])
    else if (token.type === 'link_open') token.attrSet('rel', NOT_ENDORSED)
  }
}
