import { componentsMatcher, expandBraces } from '../../lib/glob.js'

/**
 * A pattern of `changes` or `exists` (CI language, 7.4 and 19.2). It must match the whole path. `*` and `?`
 * match within a component, and `**` before a slash matches any number of components. A final `**` is the
 * same as `*`. `{a,b}` is a choice, and `{a}` is `a`.
 */
export interface PathGlob {
  /** Cost of a comparison with one path; a simple text comparison costs 1. */
  readonly cost: number
  /** `components` are the parts of the path between slashes. */
  matches(path: string, components: readonly string[]): boolean
}

export function pathGlob(pattern: string): PathGlob {
  const choices = expandBraces(pattern, 1).map(globOf)
  return {
    cost: choices.reduce((sum, { cost }) => sum + cost, 0),
    matches: (path, components) => choices.some((choice) => choice.matches(path, components)),
  }
}

export function hasWildcard(pattern: string): boolean {
  return /[*?[{]/.test(pattern)
}

/** Most patterns match one file, a suffix or a directory, and need only a text comparison. */
function globOf(pattern: string): PathGlob {
  if (isPlain(pattern)) return { cost: 1, matches: (path) => path === pattern }
  const ending = plainEnding(pattern)
  if (ending !== undefined) return { cost: 1, matches: (path) => path.endsWith(ending) }
  const directory = plainDirectory(pattern)
  if (directory !== undefined) return { cost: 1, matches: (path) => path.startsWith(directory) }
  const matches = componentsMatcher(withoutLastRecursion(pattern.split('/')))
  return { cost: PIECE_BY_PIECE, matches: (_, components) => matches(components) }
}

/** Measured: such a comparison takes about ten times as long. */
const PIECE_BY_PIECE = 10

const ANYWHERE = '**/*'

/** `**\/*.md` matches paths that end in `.md`. */
function plainEnding(pattern: string): string | undefined {
  const ending = pattern.startsWith(ANYWHERE) ? pattern.slice(ANYWHERE.length) : undefined
  return ending !== undefined && isPlain(ending) && !ending.includes('/') ? ending : undefined
}

/** `docs/**\/*` matches paths that start with `docs/`. */
function plainDirectory(pattern: string): string | undefined {
  const directory = pattern.endsWith(`/${ANYWHERE}`) ? pattern.slice(0, -ANYWHERE.length) : undefined
  return directory !== undefined && isPlain(directory) ? directory : undefined
}

function isPlain(text: string): boolean {
  return !/[*?[\\]/.test(text)
}

function withoutLastRecursion(components: string[]): string[] {
  return components.at(-1) === '**' ? [...components.slice(0, -1), '*'] : components
}
