import { invalid } from '../errors.js'
import { limits } from '../limits.js'

/** A parsed `$[[ inputs.name | function ]]` (CI language, 5.3). */
export interface InterpolationBlock {
  /** The trimmed text before the first `|`. */
  path: string
  /** The keys of the path, positions in lists among them. */
  keys: string[]
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
  return { path, keys: keysOf(path), functions }
}

function keysOf(path: string): string[] {
  const segments = path.split('.')
  if (segments.length > limits.blockSegments) throw invalid(INVALID)
  const keys = segments.flatMap((segment) => {
    const parts = /^(?<name>[^\s[\]]+)(?<positions>(?:\[\d{1,9}\])*)$/.exec(segment)?.groups
    if (!parts) throw invalid(INVALID)
    return [parts.name ?? '', ...(parts.positions ?? '').split(/[[\]]+/).filter((key) => key !== '')]
  })
  if (keys.length < 2) throw invalid(INVALID)
  return keys
}
