export interface Heading {
  level: number
  text: string
  /** What a link to it has after `#`. */
  anchor: string
  /** Everything up to the next heading of the same or a higher level, its subsections included. */
  body: string
}

/** The headings of a Markdown document, in order. */
export function headingsOf(markdown: string): Heading[] {
  const lines = withoutFences(markdown).split('\n')
  const found = lines.flatMap((line, at) => {
    const match = /^(#{1,6}) (.+?)\s*$/.exec(line)
    return match ? [{ at, level: match[1]?.length ?? 0, text: match[2] ?? '' }] : []
  })
  const used = new Map<string, number>()
  return found.map(({ at, level, text }, index) => {
    const next = found.slice(index + 1).find((other) => other.level <= level)
    return { level, text, anchor: uniqueAnchor(text, used), body: lines.slice(at + 1, next?.at).join('\n') }
  })
}

/** Targets of the links in a document, each with its line. Code holds no links. */
export function linksOf(markdown: string): { target: string; line: number }[] {
  const text = withoutFences(markdown).replace(/(`+)(?!`)[^]*?[^`]\1(?!`)/g, (code) =>
    code.replace(/[^\n]/g, ' '),
  )
  return [...text.matchAll(/\]\(\s*<?([^)\s>]+)|^\[[^\]]+\]:\s*<?([^\s>]+)/gm)].map((match) => ({
    target: match[1] ?? match[2] ?? '',
    line: text.slice(0, match.index).split('\n').length,
  }))
}

/** Fenced code becomes blank lines, so that line numbers stay. */
function withoutFences(markdown: string): string {
  return markdown.replace(/^ *(```+|~~~+)[^]*?^ *\1 *$/gm, (code) => code.replace(/[^\n]/g, ''))
}

/** As GitHub makes them: lower case, no punctuation, hyphens for blanks, a number for one that was there before. */
function uniqueAnchor(text: string, used: Map<string, number>): string {
  const anchor = text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
  const count = used.get(anchor) ?? 0
  used.set(anchor, count + 1)
  return count === 0 ? anchor : `${anchor}-${count}`
}
