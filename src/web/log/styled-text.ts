import Anser, { type AnserJsonEntry } from 'anser'

import { fileReferences } from './file-references.js'
import { css, onColor, onGround, paletteColor, type Rgb } from './log-colors.js'

/** A piece of a line with one style. */
export interface Piece {
  text: string
  /** Names of classes, such as `red`, `onBlue`, `bold`. */
  looks: string[]
  /** Colors that are no named ones, as CSS. */
  color?: string
  background?: string
  /** Address of a link. */
  href?: string
  /** A file that the text names, with a line. */
  file?: { path: string; line: number }
}

const ESC = '\u001B'
/** A link of OSC 8: parameters, address, and an end by BEL or ST. */
const LINK = new RegExp(`${ESC}\\]8;[^;\\n]*;([^${ESC}\\u0007\\n]*)(?:\\u0007|${ESC}\\\\)`, 'g')
/**
 * Styles that the parser does not know, and beginnings of other sequences: it would take the text up to what looks like
 * their end, also in a later line.
 */
const OTHER_SEQUENCE = new RegExp(`${ESC}(?!\\[[\\d;]*m)(?:\\[[\\d;:]*m)?`, 'g')
/** A plain address; what ends a sentence does not belong to it. */
const ADDRESS = /\bhttps?:\/\/[^\s<>"'`]*[^\s<>"'`.,;:!?)\]}]/g
/** They stand for links while the styles are read. */
const [OPEN, CLOSE] = ['\uE000', '\uE001']
const MARK = new RegExp(`${OPEN}(\\d*)${CLOSE}`, 'g')

/**
 * Turns the lines of a window into pieces.
 * @param style before the first line, as parameters of an escape sequence
 */
export function styledLines(lines: readonly string[], style: string): Piece[][] {
  const addresses: string[] = []
  const marked = lines
    .join('\n')
    .replaceAll(OPEN, '')
    .replaceAll(CLOSE, '')
    .replace(LINK, (_sequence, address: string) => {
      if (!/^https?:\/\//.test(address)) return `${OPEN}${CLOSE}`
      addresses.push(address)
      return `${OPEN}${addresses.length - 1}${CLOSE}`
    })
    .replace(OTHER_SEQUENCE, '')
  const start = style === '' ? '' : `${ESC}[${style}m`
  const entries = Anser.ansiToJson(start + marked, { json: true, remove_empty: true, use_classes: true })
  const result: Piece[][] = [[]]
  let href: string | undefined
  for (const entry of entries) {
    const styling = stylingOf(entry)
    entry.content.split('\n').forEach((text, index) => {
      if (index > 0) result.push([])
      const line = result.at(-1)
      let from = 0
      const add = (end: number) => {
        const part = text.slice(from, end)
        if (part !== '')
          line?.push(...(href === undefined ? linked(part, styling) : [{ ...styling, text: part, href }]))
      }
      for (const match of text.matchAll(MARK)) {
        add(match.index)
        href = match[1] === '' ? undefined : addresses[Number(match[1])]
        from = match.index + match[0].length
      }
      add(text.length)
    })
  }
  // The parser leaves out what is empty, also at the end.
  while (result.length < lines.length) result.push([])
  return result
}

/** The text of pieces without their looks. */
export function plainText(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join('')
}

function linked(text: string, styling: Omit<Piece, 'text'>): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const { 0: href, index } of text.matchAll(ADDRESS)) {
    if (index > from) pieces.push(...withFiles(text.slice(from, index), styling))
    pieces.push({ ...styling, text: href, href })
    from = index + href.length
  }
  if (from < text.length) pieces.push(...withFiles(text.slice(from), styling))
  return pieces
}

function withFiles(text: string, styling: Omit<Piece, 'text'>): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const { start, end, path, line } of fileReferences(text)) {
    if (start < from) continue
    if (start > from) pieces.push({ ...styling, text: text.slice(from, start) })
    pieces.push({ ...styling, text: text.slice(start, end), file: { path, line } })
    from = end
  }
  if (from < text.length) pieces.push({ ...styling, text: text.slice(from) })
  return pieces
}

function stylingOf({
  fg,
  bg,
  fg_truecolor: fgRgb,
  bg_truecolor: bgRgb,
  decorations,
}: AnserJsonEntry): Omit<Piece, 'text'> {
  const color = colorOf(fg, fgRgb)
  const background = colorOf(bg, bgRgb)
  const others = decorations.map(String)
  if (background.rgb) {
    // The colors of the theme may not be read on a color that is the same in both themes.
    const text = onColor(color.rgb ?? color.name, background.rgb)
    return { looks: others, color: text, background: css(background.rgb) }
  }
  const looks = [
    ...(color.name === undefined ? [] : [color.name]),
    ...(background.name === undefined ? [] : [`on-${background.name}`]),
    ...others,
  ]
  return { looks, ...(color.rgb && { color: onGround(color.rgb) }) }
}

/** `ansi-bright-red` is a named color, `ansi-palette-123` one of 256, and `ansi-truecolor` is in the second parameter. */
function colorOf(name: string | null, rgb: string | null): { name?: string; rgb?: Rgb } {
  if (!name) return {}
  if (name === 'ansi-truecolor') {
    const [red, green, blue] = (rgb ?? '').split(',').map(Number)
    return red === undefined || green === undefined || blue === undefined ? {} : { rgb: [red, green, blue] }
  }
  const palette = /^ansi-palette-(\d+)$/.exec(name)?.[1]
  return palette === undefined ? { name: name.replace(/^ansi-/, '') } : { rgb: paletteColor(Number(palette)) }
}
