const MAX_LENGTH = 1024
const MAX_NAMES = 64

export interface WrittenPattern {
  /** With its escapes, as `compilePatterns` reads them. */
  source: string
  /** As users see it. */
  pattern: string
  isExclusion: boolean
  /** The text after it. */
  rest: string
}

/** Reads the pattern at the beginning of a line: up to a space or tab that no `\` escapes. */
export function readPattern(line: string): WrittenPattern {
  const isExclusion = line.startsWith('!')
  const start = isExclusion ? 1 : 0
  let end = start
  while (end < line.length && !/\s/.test(line[end] ?? '')) end += line[end] === '\\' ? 2 : 1
  const source = line.slice(start, end)
  const pattern = `${isExclusion ? '!' : ''}${source.replaceAll(/\\([\s#!])/g, '$1')}`
  return { source, pattern, isExclusion, rest: line.slice(end).trim() }
}

/** Whether the pattern is longer than one that is matched. */
export function isOverLimit(source: string): boolean {
  return source.length > MAX_LENGTH || source.split('/').length > MAX_NAMES
}
