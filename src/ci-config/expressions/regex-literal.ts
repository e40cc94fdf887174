import { RE2JS, RE2JSException } from 're2js'

import { limits } from '../limits.js'
import { patternSize } from './pattern-size.js'

/**
 * Parses text of the form `/…/flags`. Returns the expression; `invalid` if it has errors or is too large;
 * undefined for any other text. `onSize` is called with its number of elements before compilation, and may
 * throw.
 */
export function parseRegexLiteral(
  text: string,
  onSize: (elements: number) => void = () => undefined,
): RE2JS | 'invalid' | undefined {
  const parts = splitLiteral(text)
  return parts && compiled(parts, onSize)
}

/** The flags that RE2 knows as well; they become an inline prefix (CI language, 7.3). */
const FLAGS = /^[ismU]*$/

interface LiteralParts {
  body: string
  flags: string
}

function splitLiteral(text: string): LiteralParts | undefined {
  if (!text.startsWith('/')) return undefined
  const end = text.lastIndexOf('/')
  const flags = text.slice(end + 1)
  return end > 1 && FLAGS.test(flags) ? { body: text.slice(1, end), flags } : undefined
}

/**
 * Files are recompiled at every push and repeat the same expressions in many jobs. The oldest entries are
 * evicted first.
 */
const known = new Map<string, { regex: RE2JS | 'invalid'; size: number }>()
let knownSize = 0

function compiled({ body, flags }: LiteralParts, onSize: (elements: number) => void): RE2JS | 'invalid' {
  const source = flags ? `(?${flags})${body}` : body
  const entry = known.get(source)
  const size = entry?.size ?? patternSize(body)
  if (body.length > limits.patternLength || size > limits.patternElements) return 'invalid'
  onSize(size)
  if (entry) return entry.regex
  const regex = compile(source)
  keep(source, regex, size)
  return regex
}

function compile(source: string): RE2JS | 'invalid' {
  try {
    return RE2JS.compile(source)
  } catch (error) {
    if (error instanceof RE2JSException) return 'invalid'
    throw error
  }
}

function keep(source: string, regex: RE2JS | 'invalid', size: number): void {
  known.set(source, { regex, size })
  knownSize += size
  for (const [oldest, entry] of known) {
    if (knownSize <= limits.keptPatternElements) return
    known.delete(oldest)
    knownSize -= entry.size
  }
}
