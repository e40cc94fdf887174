import { HIDDEN_RANGES, type HiddenKind, rangesPattern } from './hidden-ranges.js'

/** A character that readers do not see. */
export interface HiddenCharacter {
  /** The character itself: what is copied. */
  text: string
  /** Such as `U+202E`. */
  code: string
  /** Such as `right-to-left override`. */
  name: string
  kind: HiddenKind
}

const HIDDEN = rangesPattern()

/**
 * A text in parts: what can be read, and each character that cannot. Undefined if there is none of these. Joiners and
 * selectors of emoji, and those that a script needs, are a part of the text around them.
 */
export function hiddenParts(text: string): (string | HiddenCharacter)[] | undefined {
  let parts: (string | HiddenCharacter)[] | undefined
  let end = 0
  for (const { 0: character, index } of text.matchAll(HIDDEN)) {
    if (isExpected(text, index, character)) continue
    parts ??= []
    if (index > end) parts.push(text.slice(end, index))
    parts.push(describe(character))
    end = index + character.length
  }
  if (parts && end < text.length) parts.push(text.slice(end))
  return parts
}

/** What the lines of a text hide. */
export interface HiddenSummary {
  /** Number of characters, apart from those that control a terminal; undefined if not all lines have been read. */
  count: number | undefined
  /** Index of the first line with one, or its number in a text that is read in parts. */
  firstLine: number
  /** Whether one of them turns the direction. */
  turns: boolean
}

/** Undefined if the lines hide nothing. */
export function hiddenIn(lines: Iterable<string>): HiddenSummary | undefined {
  let first: number | undefined
  let count = 0
  let turns = false
  let index = 0
  for (const line of lines) {
    for (const part of hiddenParts(line) ?? []) {
      if (typeof part === 'string' || part.kind === 'control') continue
      first ??= index
      count += 1
      turns ||= part.kind === 'direction'
    }
    index += 1
  }
  return first === undefined ? undefined : { count, firstLine: first, turns }
}

function describe(character: string): HiddenCharacter {
  const number = character.codePointAt(0) ?? 0
  const found = HIDDEN_RANGES.find(({ first, last }) => number >= first && number <= last)
  const { first = 0, kind = 'invisible', names = '' } = found ?? {}
  return {
    text: character,
    code: `U+${number.toString(16).toUpperCase().padStart(4, '0')}`,
    name: typeof names === 'string' ? names : (names[number - first] ?? ''),
    kind,
  }
}

const [NON_JOINER, JOINER] = ['\u200C', '\u200D']
/** Begins the flags of regions, which go on in tag characters. */
const BLACK_FLAG = '\u{1F3F4}'
const TAGS = /[\u{E0020}-\u{E007F}]/gu
const EMOJI = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F]/u
/** Scripts whose letters have other forms beside a joiner. */
const JOINING_SCRIPT =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u
const WITH_VARIANTS = /[\p{Emoji}\p{Script=Han}\p{S}\p{Script=Mongolian}\p{Script=Myanmar}]/u
/** As far back as a flag reaches. */
const MAX_FLAG_LENGTH = 16

/**
 * Whether the character belongs to what is before it, as in an emoji of several. The patterns are for single characters:
 * Chromium 156 does not match `[…]$` with a character above U+FFFF at the end of a longer text.
 */
function isExpected(text: string, index: number, character: string): boolean {
  const number = character.codePointAt(0) ?? 0
  const before = text.slice(Math.max(0, index - MAX_FLAG_LENGTH), index)
  const last = lastOf(before)
  if (character === JOINER && EMOJI.test(last))
    return EMOJI.test(String.fromCodePoint(text.codePointAt(index + 1) ?? 0))
  if (character === JOINER || character === NON_JOINER) return JOINING_SCRIPT.test(last)
  if (number >= 0xfe00 && number <= 0xfe0f) return WITH_VARIANTS.test(last)
  if (number >= 0xe0100 && number <= 0xe01ef) return /\p{Script=Han}/u.test(last)
  if (number >= 0xe0020 && number <= 0xe007f) return lastOf(before.replaceAll(TAGS, '')) === BLACK_FLAG
  if (number >= 0x180b && number <= 0x180f) return /\p{Script=Mongolian}/u.test(last)
  if (number === 0x115f || number === 0x1160) return /[\u1100-\u11FF]/.test(last + text.charAt(index + 1))
  return false
}

function lastOf(text: string): string {
  return Array.from(text).at(-1) ?? ''
}
