/**
 * A citation names a document of this repository and one or more of its sections, and may point to a part of the section:
 *
 *     (CI language, 14.3)   (API, A13 and H; RFC 6749, 4.1)   (CI language, 1.1, steps 2 to 4)
 *
 * Outside of parentheses it can begin a comment. Several in one pair of parentheses are separated by `; `.
 */
export interface Citation {
  document: string
  /** Ranges written out. */
  sections: string[]
  detail?: Detail
  /** From 1. */
  line: number
}

/** What the section must hold: numbered steps or rows of a table, or a text. */
type Detail = { numbers: string[] } | { text: string }

/** A pair of parentheses that begins like a citation and cannot be read as one. */
export interface Malformed {
  malformed: string
  line: number
}

/** Else it is a sentence that names the document. */
const LOOKS_CITED = /^(?:[A-Z0-9"]|(?:part|section|decision)s? )/
const JOINER = /, | and | to /

/** Reads the citations in a source file or a document. `sections` has, for each document, what its sections are called. */
export function citationsIn(text: string, sections: ReadonlyMap<string, RegExp>): (Citation | Malformed)[] {
  const { joined, lineAt } = joinLines(text)
  const names = [...sections.keys()].join('|')
  const starts = new RegExp(`(?<before>\\(|; |/\\*\\* |// )(?<document>${names}), `, 'g')
  return [...joined.matchAll(starts)].flatMap((match): (Citation | Malformed)[] => {
    const { before = '', document = '' } = match.groups ?? {}
    const line = lineAt(match.index + before.length)
    const rest = joined.slice(match.index + match[0].length)
    const read = readSections(rest, sections.get(document)?.source ?? '')
    const isInParentheses = !before.startsWith('/')
    if (read && (!isInParentheses || /^[);]/.test(read.rest))) {
      return [{ document, sections: read.sections, ...(read.detail && { detail: read.detail }), line }]
    }
    return before === '(' && LOOKS_CITED.test(rest)
      ? [{ malformed: `${document}, ${rest.slice(0, 40)}`, line }]
      : []
  })
}

/** One line, without the signs by which comments continue. */
function joinLines(text: string): { joined: string; lineAt: (offset: number) => number } {
  const lines = text.split('\n').map((line) => line.replace(/^\s*(?:\*(?!\/) ?|\/\/ (?=[^/]))?/, ''))
  const ends: number[] = []
  let length = 0
  for (const line of lines) ends.push((length += line.length + 1))
  return { joined: lines.join(' '), lineAt: (offset) => ends.findIndex((end) => offset < end) + 1 }
}

function readSections(
  text: string,
  section: string,
): { sections: string[]; detail?: Detail; rest: string } | undefined {
  const list = `(?:${section})(?:(?:${JOINER.source})(?:${section})(?!\\w))*`
  const match = new RegExp(`^(?<list>${list})(?!\\w)(?<rest>[^]*)`).exec(text)
  if (!match) return undefined
  const { list: written = '', rest = '' } = match.groups ?? {}
  return { sections: expandRanges(written), ...readDetail(rest) }
}

const NUMBERED = /^, (?:step|row|rule|rank)s? (?<numbers>\d+(?:(?:, | and | to )\d+)*)(?<rest>[^]*)/
const QUOTED = /^, (?:`(?<code>[^`]+)`|"(?<quote>[^"]+)"|(?<phase>phase [A-Z]))(?<rest>[^]*)/

function readDetail(text: string): { detail?: Detail; rest: string } {
  const numbered = NUMBERED.exec(text)?.groups
  if (numbered) {
    return { detail: { numbers: expandRanges(numbered['numbers'] ?? '') }, rest: numbered['rest'] ?? '' }
  }
  const quoted = QUOTED.exec(text)?.groups
  if (!quoted) return { rest: text }
  const { code, quote, phase } = quoted
  return { detail: { text: code ?? quote ?? phase ?? '' }, rest: quoted['rest'] ?? '' }
}

/** `2.2 to 2.4, 5 and 6` is 2.2, 2.3, 2.4, 5, 6. */
function expandRanges(list: string): string[] {
  return list.split(/, | and /).flatMap((part) => {
    const [first = '', last] = part.split(' to ')
    return last === undefined ? [first] : range(first, last)
  })
}

function range(first: string, last: string): string[] {
  const [, prefix = '', from = ''] = /^(.*?)(\d+)$/.exec(first) ?? []
  const to = Number(/\d+$/.exec(last)?.[0])
  return Array.from({ length: to - Number(from) + 1 }, (_, index) => `${prefix}${Number(from) + index}`)
}
