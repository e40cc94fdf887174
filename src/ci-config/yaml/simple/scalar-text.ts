import { CST } from 'yaml'

import type { ConfigScalar } from '../config-value.js'
import { scalarTags } from '../scalar-tags.js'
import { abortSimple } from './not-simple.js'

/** Values of types other than text start with one of these characters. */
const MAY_BE_TYPED = /^(?:[-+~\dnNyYtToOfF]|\.[\diInN])/

/** A scalar without quotes (CI language, 1.2). */
export function plainValue(source: string): ConfigScalar {
  if (!MAY_BE_TYPED.test(source)) return source
  const tag = scalarTags.find(({ test }) => test?.test(source))
  return tag ? (tag.resolve(source, abortSimple, OPTIONS) as ConfigScalar) : source
}

const OPTIONS = { intAsBigInt: true }

export type QuotedType = 'single-quoted-scalar' | 'double-quoted-scalar'

/** A scalar in quotes, which are part of `source`. */
export function textInQuotes(source: string, type: QuotedType): string {
  if (source.includes('\n')) return flowScalarText({ type, source })
  if (type === 'single-quoted-scalar') return source.slice(1, -1).replaceAll("''", "'")
  return source.includes('\\') ? (jsonText(source) ?? flowScalarText({ type, source })) : source.slice(1, -1)
}

/**
 * JSON escapes have the same meaning in YAML and are parsed much faster; undefined for a text with other
 * escapes.
 */
function jsonText(source: string): string | undefined {
  try {
    return String(JSON.parse(source))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

type Source = Pick<CST.FlowScalar, 'type' | 'source'>

/** A scalar in quotes, or on several lines, by the rules of the library. */
export function flowScalarText({ type, source }: Source): string {
  const token: CST.FlowScalar = { type, source, offset: 0, indent: 0 }
  return CST.resolveAsScalar(token, true, abortSimple).value
}

/**
 * The text of a scalar after `|`, `|-`, `>` or `>-`; `source` contains its lines. The last line has text, no
 * line starts with a tab, and no blank line has more spaces than the first line with text. Uses regular
 * expressions, because the library creates three objects per line.
 */
export function blockScalarText(header: string, source: string): string {
  const indent = /^ *(?=[^ \n])/m.exec(source)?.[0].length ?? 0
  if (indent === 0 || new RegExp(`^ {0,${indent - 1}}[^ \\n]`, 'm').test(source)) abortSimple()
  const lines = source.replace(/\n$/, '').replace(new RegExp(`^ {1,${indent}}`, 'gm'), '')
  const text = header.startsWith('>') ? folded(lines) : lines
  return header.endsWith('-') ? text : `${text}\n`
}

/**
 * Between two lines of text, one line end becomes a blank, and the first of several is dropped; next to
 * indented lines all are kept.
 */
function folded(lines: string): string {
  return lines
    .replace(/^([^ \n][^\n]*)\n(?=[^ \n])/gm, '$1 ')
    .replace(/^([^ \n][^\n]*)\n(\n+)(?=[^ \n])/gm, '$1$2')
}
