import { escapeMarkup } from '../../../lib/escape-markup.js'
import { renderMarkdown } from '../../../lib/markdown/render-markdown.js'

/** Content of a mail before it becomes text and HTML. */
export interface MailBody {
  /** The first sentences, without markup; one paragraph each. */
  lead: readonly string[]
  /** Names and values. */
  details?: readonly (readonly [name: string, value: string])[]
  /** What a user wrote. */
  markdown?: string | null
  /** Several texts that a user wrote, each with a line above it. */
  sections?: readonly { lead: string; markdown: string }[]
  /** What is left out, after the sections. */
  more?: string
  /** Text that is shown as it is, such as the end of a log. */
  preformatted?: string | null
  /** Where to go on. */
  link?: { label: string; url: string }
  /** Why the recipient gets it, and what to do about it. */
  footer: readonly string[]
  unsubscribeUrl?: string
}

/** Renders both forms of a mail. Text from users is escaped in HTML. */
export async function renderBody(body: MailBody): Promise<{ text: string; html: string }> {
  return { text: renderText(body), html: await htmlOf(body) }
}

function renderText(body: MailBody): string {
  const {
    lead,
    details = [],
    markdown,
    sections = [],
    more,
    preformatted,
    link,
    footer,
    unsubscribeUrl,
  } = body
  const names = details.map(([name, value]) => `${name}: ${value}`).join('\n')
  const parts = [
    ...lead,
    names,
    markdown ?? '',
    ...sections.flatMap((section) => [section.lead, section.markdown]),
    more ?? '',
    preformatted ?? '',
    link ? `${link.label}: ${link.url}` : '',
    ['-- ', ...footer, ...(unsubscribeUrl === undefined ? [] : [`Unsubscribe: ${unsubscribeUrl}`])].join(
      '\n',
    ),
  ]
  return `${parts.filter((part) => part.trim() !== '').join('\n\n')}\n`
}

const PAGE = 'font-family:system-ui,sans-serif;font-size:15px;line-height:1.5;max-width:44rem'
const LINK = 'color:#2f5fc4'
const QUIET = 'color:#6b7280;font-size:13px;margin-top:1.5rem;border-top:1px solid #d5d9e0;padding-top:.5rem'
const CELL = 'padding:2px 12px 2px 0;vertical-align:top'
const LOG = 'background:#f4f5f7;color:#1c2129;padding:8px;overflow:auto;font-size:13px'

async function htmlOf(body: MailBody): Promise<string> {
  const {
    lead,
    details = [],
    markdown,
    sections = [],
    more,
    preformatted,
    link,
    footer,
    unsubscribeUrl,
  } = body
  const rows = details.map(
    ([name, value]) =>
      `<tr><th align="left" style="${CELL}">${escapeMarkup(name)}</th><td style="${CELL}">${escapeMarkup(value)}</td></tr>`,
  )
  const parts = [
    ...lead.map((paragraph) => `<p>${escapeMarkup(paragraph)}</p>`),
    rows.length === 0 ? '' : `<table cellspacing="0">${rows.join('')}</table>`,
    markdown ? `<div>${await renderMarkdown(markdown)}</div>` : '',
    ...(await Promise.all(sections.map(htmlOfSection))),
    more ? `<p>${escapeMarkup(more)}</p>` : '',
    preformatted ? `<pre style="${LOG}">${escapeMarkup(preformatted)}</pre>` : '',
    link ? `<p>${anchor(link)}</p>` : '',
    `<p style="${QUIET}">${[
      ...footer.map(escapeMarkup),
      ...(unsubscribeUrl === undefined ? [] : [anchor({ label: 'Unsubscribe', url: unsubscribeUrl })]),
    ].join('<br>')}</p>`,
  ]
  return `<!doctype html>\n<html lang="en"><body style="${PAGE}">\n${parts.filter((part) => part !== '').join('\n')}\n${END}`
}

async function htmlOfSection({ lead, markdown }: { lead: string; markdown: string }): Promise<string> {
  return `<p>${escapeMarkup(lead)}</p>\n<div>${await renderMarkdown(markdown)}</div>`
}

const END = '</body></html>\n'

/** Adds a text without markup at the end of a mail, in both forms. */
export function withTextAtEnd<Mail extends { text: string; html: string }>(mail: Mail, text: string): Mail {
  const lines = text.trim().split(/\r?\n/)
  const paragraph = `<p style="${QUIET}">${lines.map(escapeMarkup).join('<br>')}</p>\n`
  const html = mail.html.endsWith(END) ? mail.html.slice(0, -END.length) : mail.html
  return { ...mail, text: `${mail.text}\n${lines.join('\n')}\n`, html: html + paragraph + END }
}

/** As `withTextAtEnd`, at the beginning. */
export function withTextAtStart<Mail extends { text: string; html: string }>(mail: Mail, text: string): Mail {
  const lines = text.trim().split(/\r?\n/)
  const paragraph = `\n<p>${lines.map(escapeMarkup).join('<br>')}</p>`
  const start = /^[^]*?<body[^>]*>/.exec(mail.html)?.[0] ?? ''
  const html = start + paragraph + mail.html.slice(start.length)
  return { ...mail, text: `${lines.join('\n')}\n\n${mail.text}`, html }
}

function anchor({ label, url }: { label: string; url: string }): string {
  return `<a style="${LINK}" href="${escapeMarkup(url)}">${escapeMarkup(label)}</a>`
}
