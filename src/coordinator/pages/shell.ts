import { Markup, markup } from '../http/html-page.js'
import type { PageFiles } from './page-files.js'
import type { Boot } from './schema.js'

export interface Shell {
  title: string
  files: PageFiles
  boot: Boot
  /** API addresses that the page reads first. */
  reads: readonly string[]
  /** The theme that the reader has chosen in this browser. */
  theme: 'light' | 'dark' | undefined
  messages: Messages
  /** Path of the icon of the instance; null for the usual one. */
  favicon: string | null
}

/** Messages of administrators on every page; empty texts are not shown. Colours are `#rgb` or `#rrggbb`. */
interface Messages {
  header: string
  footer: string
  background: string
  color: string
}

/** The HTML of every page: the frame is drawn by its modules, which the head announces together with what they read. */
export function shellOf({ title, files, boot, reads, theme, messages, favicon }: Shell): string {
  return markup`<!doctype html>
<html lang="en"${theme === undefined ? '' : markup` data-theme="${theme}"`}>
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${title}</title>
    ${favicon === null ? USUAL_ICON : markup`<link rel="icon" href="${favicon}">`}
    ${styleOf(messages, boot.style_nonce)}
    ${reads.map((href) => markup`<link rel="preload" as="fetch" crossorigin href="${href}">`)}
    ${files.styles.map((href) => markup`<link rel="stylesheet" href="${href}">`)}
    <script type="module" src="${files.entry}"></script>
    ${files.modules.map((href) => markup`<link rel="modulepreload" href="${href}">`)}
    <script type="application/json" id="boot">${jsonMarkup(boot)}</script>
  </head>
  <body>
    ${messageOf(messages.header)}
    <div id="page">
      <p class="shell-note late">The page has not started: its script did not load. <a href="">Load it again</a></p>
    </div>
    <noscript><p class="shell-note">These pages need JavaScript. The API at <a href="/api/docs">/api/docs</a> and git work without it.</p></noscript>
    ${messageOf(messages.footer)}
  </body>
</html>
`.text
}

/** JSON inside of a script element, which a `<` in a text must not end. */
function jsonMarkup(value: object): Markup {
  return new Markup(JSON.stringify(value).replaceAll('<', String.raw`\u003c`))
}

const USUAL_ICON = markup`<link rel="icon" href="/favicon.svg" type="image/svg+xml">`

function messageOf(text: string): Markup | '' {
  if (text.trim() === '') return ''
  return markup`<aside class="instance-message" aria-label="Message of this instance">${text}</aside>`
}

/** Other text in a style element would be read as CSS, so a colour that is none gets no style. */
function styleOf({ header, footer, background, color }: Messages, nonce: string): Markup | '' {
  if (header.trim() === '' && footer.trim() === '') return ''
  if (![background, color].every((each) => /^#[0-9a-f]{3,6}$/i.test(each))) return ''
  const style = `.instance-message { background: ${background}; color: ${color} }`
  return markup`<style nonce="${nonce}">${new Markup(style)}</style>`
}
