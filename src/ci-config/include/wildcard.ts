import { RE2JS } from 're2js'

import { limits } from '../limits.js'

/** Whether a local path selects several files. */
export function hasWildcard(file: string): boolean {
  return file.includes('*')
}

/**
 * `*` matches within one folder, `**` across folders (CI language, 4.1); undefined for a pattern that is too
 * long.
 */
export function wildcardMatcher(pattern: string): ((path: string) => boolean) | undefined {
  if (pattern.length > limits.patternLength) return undefined
  const parts = pattern.split(/(\*\*?)/).map((part) => {
    if (part === '**') return '.*'
    return part === '*' ? '[^/]*' : RE2JS.quote(part)
  })
  const regex = RE2JS.compile(`^${parts.join('')}$`)
  return (path) => regex.matcher(path).find()
}
