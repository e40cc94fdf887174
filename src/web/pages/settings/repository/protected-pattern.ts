/** Whether a rule of protected refs is a wildcard, in which `*` matches any text. */
export function isWildcard(name: string): boolean {
  return name.includes('*')
}

/** A regular expression that matches the same names as a rule of protected refs. */
export function patternOf(name: string): string {
  const literal = name.split('*').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
  return `^${literal.join('.*')}$`
}
