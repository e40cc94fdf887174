/** A branch, tag or commit, and a path in it; the path of the root is empty. */
export interface RefPath {
  ref: string
  path: string
}

/** Everything that could be the ref at the start of `feature/login/src/a.ts`, the longest first. */
export function possibleRefs(refPath: string): string[] {
  const segments = refPath.split('/').filter((segment) => segment !== '')
  return segments.map((_, index) => segments.slice(0, segments.length - index).join('/'))
}

/** Splits at the longest known ref. Without one, the first segment is taken for a commit. */
export function splitRefPath(refPath: string, isRef: (name: string) => boolean): RefPath {
  const possible = possibleRefs(refPath)
  const whole = possible[0] ?? ''
  const ref = possible.find(isRef) ?? possible.at(-1) ?? ''
  return { ref, path: whole.slice(ref.length + 1) }
}

/**
 * Splits what needs no list of refs: below the default branch, and below the SHA of a commit. Undefined for the rest.
 */
export function splitKnown(refPath: string, defaultBranch: string | null | undefined): RefPath | undefined {
  const possible = possibleRefs(refPath)
  if (possible.length === 0) return defaultBranch ? { ref: defaultBranch, path: '' } : undefined
  if (defaultBranch && possible.includes(defaultBranch))
    return splitRefPath(refPath, (name) => name === defaultBranch)
  const first = possible.at(-1) ?? ''
  return first === 'HEAD' || /^[0-9a-f]{40}$/.test(first)
    ? splitRefPath(refPath, (name) => name === first)
    : undefined
}

/** A regular expression that matches exactly these names. */
export function exactly(names: readonly string[]): string {
  return `^(${names.map((name) => name.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)).join('|')})$`
}

/** The opposite of `splitRefPath`. */
export function joinRefPath(ref: string, path: string): string {
  return path === '' ? ref : `${ref}/${path}`
}
