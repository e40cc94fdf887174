import type { Operation } from '../operation.js'
import type { JsonSchema } from './json-schema.js'

const SUFFIX = '.json'

/**
 * Creates a function that removes `.json` from the end of a path where it is unambiguous (API, A6): after a
 * fixed segment, and after a parameter that must be a number. Names of files, branches and projects are not
 * changed.
 */
export function createSuffixRemover(prefix: string, operations: Operation[]): (url: string) => string {
  let patterns: RegExp[] | undefined
  return (url) => {
    const end = url.indexOf('?')
    const path = end < 0 ? url : url.slice(0, end)
    if (!path.endsWith(SUFFIX)) return url
    const bare = path.slice(0, -SUFFIX.length)
    patterns ??= operations
      .filter(({ path }) => !path.includes('*'))
      .map((operation) => patternOf(prefix, operation))
    return patterns.some((pattern) => pattern.test(bare)) ? bare + url.slice(path.length) : url
  }
}

function patternOf(prefix: string, { path, params }: Operation): RegExp {
  const segments = (prefix + path).split('/')
  const last = segments.pop() ?? ''
  const inner = segments.map((segment) => (segment.startsWith(':') ? '[^/]+' : escape(segment)))
  return new RegExp(`^${[...inner, lastPattern(last, params)].join('/')}$`)
}

function lastPattern(segment: string, params: JsonSchema | undefined): string {
  if (!segment.startsWith(':')) return escape(segment)
  const name = segment.slice(1)
  const isNumber = params?.properties?.[name]?.type === 'integer' || name === 'id'
  return isNumber ? String.raw`\d+` : '(?!)'
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}
