import { hash } from 'node:crypto'

import type { FastifyReply } from 'fastify'

import { escapeMarkup } from '../../lib/escape-markup.js'

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d5d9e0, #3b414c); --quiet: light-dark(#5a6372, #a3acba) }
* { box-sizing: border-box }
body { margin: 0; padding: 2rem 1rem; font: 16px/1.5 system-ui, sans-serif;
  background: light-dark(#f4f5f7, #15181d); color: light-dark(#1c2129, #e6e9ee) }
header { max-width: 26rem; margin: 2vh auto 1rem; display: flex; gap: .6rem; align-items: center; font-weight: 700 }
main { max-width: 26rem; margin: 0 auto; padding: 1.75rem 2rem; border: 1px solid var(--line);
  border-radius: 10px; background: light-dark(#fff, #1e2229) }
h1 { margin: 0 0 1rem; font-size: 1.35rem; line-height: 1.3; overflow-wrap: anywhere }
h2 { margin: 1.5rem 0 .5rem; font-size: 1.1rem }
p, ul, dl { margin: 0 0 1rem }
dt { color: var(--quiet); font-size: .9rem }
dd { margin: 0 0 .4rem; overflow-wrap: anywhere }
ul { padding-left: 1.25rem }
small { display: block; margin-top: 1rem; color: var(--quiet); overflow-wrap: anywhere }
label + small { margin: -.4rem 0 1rem }
label { display: block; margin-bottom: .9rem; font-weight: 600; font-size: .9rem }
input, textarea { display: block; width: 100%; margin-top: .25rem; padding: .5rem .65rem; font: inherit; font-weight: 400;
  color: inherit; background: transparent; border: 1px solid light-dark(#9aa3b2, #5c6573); border-radius: 6px }
.check { display: flex; gap: .5rem; align-items: center; font-weight: 400 }
.check input { width: auto; margin: 0 }
a { color: light-dark(#2458bd, #8ab4ff) }
.tabs { display: flex; flex-wrap: wrap; gap: 0 1.25rem; margin-bottom: 1.25rem; border-bottom: 1px solid var(--line) }
.tabs a { padding: .4rem 0; margin-bottom: -1px; color: var(--quiet); text-decoration: none }
.tabs a[aria-current] { color: inherit; font-weight: 600; border-bottom: 2px solid #3b6fd8 }
textarea { resize: vertical }
input:focus-visible, textarea:focus-visible, button:focus-visible, a:focus-visible, .terms:focus-visible { outline: 2px solid #3b6fd8; outline-offset: 1px }
.terms { max-height: 40vh; margin-bottom: 1rem; padding: .75rem 1rem; overflow: auto; border: 1px solid var(--line);
  border-radius: 6px; overflow-wrap: anywhere }
.terms > :last-child { margin-bottom: 0 }
.terms h1, .terms h2, .terms h3 { margin: 0 0 .5rem; font-size: 1.05rem }
.code { font: 600 1.3rem ui-monospace, monospace; letter-spacing: .08em; text-transform: uppercase; text-align: center }
.other { margin: 1rem 0 0 }
output:empty { display: none }
form[data-options] + form { margin-top: 1.5rem }
.buttons { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.25rem }
button { flex: 1 0 auto; padding: .55rem .9rem; font: inherit; font-weight: 600; cursor: pointer; border-radius: 6px;
  border: 1px solid light-dark(#9aa3b2, #5c6573); color: inherit; background: transparent }
a.main { padding: .55rem .9rem; font-weight: 600; text-decoration: none; border-radius: 6px }
button.main, a.main { color: #fff; background: #2f5fc4; border-color: #2f5fc4 }
.brand { margin-bottom: 1.25rem; overflow-wrap: anywhere }
.brand img { display: block; max-width: 100%; max-height: 8rem; margin: 0 auto 1rem }
.brand > strong { display: block; font-size: 1.35rem; line-height: 1.3; margin-bottom: .5rem }
.brand h1, .brand h2, .brand h3 { margin: 0 0 .5rem; font-size: 1.05rem }
[role=status] { padding: .5rem .75rem; border-left: 4px solid #2e7d4f; background: light-dark(#e8f5ec, #1d3226) }
[role=alert] { padding: .5rem .75rem; border-left: 4px solid #c9372c; background: light-dark(#fdecea, #3a2220) }
`

const STYLE_SOURCE = sourceOf(STYLE)

function sourceOf(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`
}

/** Two tracks that meet at a switch, as in `src/web/frame/logo.tsx`. */
const LOGO_TEXT =
  '<svg xmlns="http://www.w3.org/2000/svg" width="28" height="28" viewBox="0 0 32 32" aria-hidden="true">' +
  '<rect width="32" height="32" rx="8" fill="#3c5bd6"/><path d="M7 22h5c5 0 5-12 10-12h3M7 10h5c1.6 0 2.7 1.2 3.6 2.8M17.4 18.2c1.1 2.2 2.5 3.8 4.6 3.8h3" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/>' +
  '<circle cx="25.5" cy="10" r="2" fill="#7ee2a8"/></svg>'
const LOGO_ADDRESS = `data:image/svg+xml,${encodeURIComponent(LOGO_TEXT)}`

/** HTML text that is already escaped. */
export class Markup {
  constructor(readonly text: string) {}
}

const LOGO = new Markup(LOGO_TEXT)

/**
 * Template tag that builds markup; values that are not markup are escaped, for text and quoted attributes.
 */
export function markup(
  parts: TemplateStringsArray,
  ...values: (string | Markup | readonly Markup[])[]
): Markup {
  const texts = values.map((value) => {
    if (typeof value === 'string') return escapeMarkup(value)
    return value instanceof Markup ? value.text : value.map(({ text }) => text).join('')
  })
  return new Markup(String.raw({ raw: parts }, ...texts))
}

interface Page {
  /** Title and heading of the page. */
  title: string
  /** Error message at the top of the page. */
  alert?: string | undefined
  body: Markup
  formActions?: readonly string[]
  /** The only script that the page runs; none without it. */
  script?: string
  /** What is above the heading. */
  brand?: Markup | undefined
  /** Whether the page shows images of this server. */
  showsImages?: boolean
}

/**
 * Sends a page that cannot be framed, runs no scripts of others and is not cached. `formActions` are the sources of
 * `form-action` in the Content-Security-Policy; absent for a page without a form.
 */
export function sendPage(
  reply: FastifyReply,
  status: number,
  { formActions = ["'none'"], ...page }: Page,
): FastifyReply {
  const policy = [
    "default-src 'none'",
    `style-src ${STYLE_SOURCE}`,
    ...(page.script === undefined ? [] : [`script-src ${sourceOf(page.script)}`]),
    page.showsImages ? "img-src 'self' data:" : 'img-src data:',
    "base-uri 'none'",
    "frame-ancestors 'none'",
    `form-action ${formActions.join(' ')}`,
  ].join('; ')
  return reply
    .code(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cache-control': 'no-store',
      // With `no-referrer`, forms would be sent with the origin `null`.
      'referrer-policy': 'same-origin',
      'x-frame-options': 'DENY',
    })
    .send(pageOf(page).text)
}

function pageOf({ title, alert, body, script, brand }: Page): Markup {
  return markup`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>${title} - Switchyard</title>
    <link rel="icon" href="${LOGO_ADDRESS}">
    <style>${new Markup(STYLE)}</style>
  </head>
  <body>
    ${brand === undefined ? markup`<header>${LOGO} Switchyard</header>` : ''}
    <main>
${brand ?? ''}
<h1>${title}</h1>
${alert === undefined ? '' : markup`<p role="alert">${alert}</p>`}
${body}
    </main>
${script === undefined ? '' : new Markup(`<script>${script}</script>`)}
  </body>
</html>
`
}
