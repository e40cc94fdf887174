import { invalid } from '../errors.js'
import { limits } from '../limits.js'

/** A parsed `$[[ inputs.name | function ]]` (CI language, 5.3). */
export interface InterpolationBlock {
  /** The trimmed text before the first `|`. */
  path: string
  /** The parts of the path between its dots, each a key with positions in lists. */
  segments: string[]
  functions: string[]
}

const OPEN = '$[['
const CLOSE = ']]'

export function mayInterpolate(text: string): boolean {
  return text.includes(OPEN)
}

/** Splits into alternating text and blocks, in one pass; an opening without an end is text. */
export function splitAtBlocks(text: string): { text: string; isBlock: boolean }[] {
  const parts: { text: string; isBlock: boolean }[] = []
  let done = 0
  for (let start = text.indexOf(OPEN); start >= 0; start = text.indexOf(OPEN, done)) {
    const end = endOf(text, start + OPEN.length)
    if (end < 0) break
    if (start > done) parts.push({ text: text.slice(done, start), isBlock: false })
    parts.push({ text: text.slice(start, end), isBlock: true })
    done = end
  }
  if (done < text.length) parts.push({ text: text.slice(done), isBlock: false })
  return parts
}

/** A list index may come right before the end: `$[[inputs.list[0]]]`. */
function endOf(text: string, from: number): number {
  const close = text.indexOf(CLOSE, from)
  if (close < 0) return -1
  return text[close + CLOSE.length] === ']' ? close + CLOSE.length + 1 : close + CLOSE.length
}

const INVALID = 'invalid pattern used for interpolation. valid pattern is $[[ inputs.input ]]'

/** Throws `ConfigError` for a block that cannot be understood. */
export function parseBlock(block: string): InterpolationBlock {
  if (Buffer.byteLength(block) > limits.blockBytes)
    throw invalid('maximum interpolation expression size exceeded')
  const content = block.slice(OPEN.length, -CLOSE.length)
  const [path = '', ...functions] = content.split('|').map((part) => part.trim())
  if (functions.length > limits.blockFunctions) throw invalid('too many functions in interpolation block')
  return { path, segments: segmentsOf(path), functions }
}

/** The text after the last allowed dot is one part, dots included. */
function segmentsOf(path: string): string[] {
  const parts = path.split('.')
  const last = parts.slice(limits.blockSegments - 1).join('.')
  const segments =
    parts.length > limits.blockSegments ? [...parts.slice(0, limits.blockSegments - 1), last] : parts
  if (
    segments.length < 2 ||
    !segments.every((segment) => /^[^\s[\]]+|^\[/.test(segment) && !/\s/.test(segment))
  )
    throw invalid(INVALID)
  return segments
}
