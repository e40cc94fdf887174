/** Whether a variable of this scope applies to jobs of the environment; without one only `*` is (CI language, 8.1). */
export function isInScope(scope: string, environment: string | undefined): boolean {
  if (scope === '*') return true
  return environment !== undefined && matchesPattern(scope, environment)
}

/** Sorts scopes of one name: the most specific one, with the longest literal text, comes last. */
export function compareScopes(one: string, other: string): number {
  return literalLength(one) - literalLength(other) || Number(isExact(one)) - Number(isExact(other))
}

/** `*` matches any characters. Scans both texts once, and backtracks at most to the last `*`. */
function matchesPattern(pattern: string, text: string): boolean {
  const parts = pattern.split('*')
  const [first = '', ...rest] = parts
  const last = rest.pop()
  if (last === undefined) return pattern === text
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}

function literalLength(scope: string): number {
  return scope.replaceAll('*', '').length
}

function isExact(scope: string): boolean {
  return !scope.includes('*')
}
