/**
 * Doublestar globs. `*` and `?` match within a path component, `**` as a whole component matches any number of
 * them. `[a-z]` and `[!a-z]` match one character, `{a,b}` is a choice, and a backslash escapes the next character.
 * Names that begin with a dot are ordinary names. The time is proportional to the length of the pattern times that
 * of the name: patterns come from CI files, and must not keep a process busy.
 */
export function globMatcher(pattern: string): (path: string) => boolean {
  const alternatives = expandBraces(pattern).map((alternative) => componentsMatcher(alternative.split('/')))
  return (path) => {
    const components = path.split('/')
    return alternatives.some((matches) => matches(components))
  }
}

/** Maximum number of alternatives. `{a,b}` twenty times would give a million. */
const MAX_ALTERNATIVES = 1024
/** Maximum number of characters of all alternatives, because each choice copies the whole pattern. */
const MAX_CHARACTERS = 256 * 1024

/**
 * Expands `a{b,c}` to `ab` and `ac`. Unbalanced braces stay as they are, and braces without a comma too,
 * unless a single option counts as a choice.
 */
export function expandBraces(pattern: string, fewestOptions: 1 | 2 = 2): string[] {
  const done: string[] = []
  const open = [pattern]
  let characters = 0
  while (open.length > 0 && done.length + open.length <= MAX_ALTERNATIVES && characters <= MAX_CHARACTERS) {
    const next = open.pop() ?? ''
    const choice = firstChoice(next, fewestOptions)
    if (choice) open.push(...choice.reverse())
    else done.push(next)
    characters += next.length
  }
  return [...done, ...open.reverse()]
}

/** The pattern once for each option of its first `{…}`. */
function firstChoice(pattern: string, fewestOptions: number): string[] | undefined {
  for (let start = 0; start < pattern.length; start++) {
    if (pattern[start] === '\\') start++
    else if (pattern[start] === '{') {
      const options = optionsFrom(pattern, start + 1, fewestOptions)
      if (!options) continue
      const tail = pattern.slice(options.end)
      return options.texts.map((text) => pattern.slice(0, start) + text + tail)
    }
  }
  return undefined
}

function optionsFrom(
  pattern: string,
  from: number,
  fewest: number,
): { texts: string[]; end: number } | undefined {
  const texts: string[] = []
  let depth = 0
  let start = from
  for (let at = from; at < pattern.length; at++) {
    const character = pattern[at]
    if (character === '\\') at++
    else if (character === '{') depth++
    else if (character === ',' && depth === 0) {
      texts.push(pattern.slice(start, at))
      start = at + 1
    } else if (character === '}' && depth-- === 0) {
      texts.push(pattern.slice(start, at))
      return texts.length < fewest ? undefined : { texts, end: at + 1 }
    }
  }
  return undefined
}

/** Matches paths that are already split. The pattern has no braces, and `**` is a component of its own. */
export function componentsMatcher(pattern: readonly string[]): (path: readonly string[]) => boolean {
  const matchers = pattern.map((component) => (component === '**' ? component : componentMatcher(component)))
  return (path) => matchPath(matchers, path)
}

type ComponentMatcher = (component: string) => boolean

/** One pass over the path. On a mismatch, only the last `**` is extended by one component, which is sufficient. */
function matchPath(pattern: readonly (ComponentMatcher | '**')[], path: readonly string[]): boolean {
  return matchGreedily(
    pattern.length,
    path.length,
    (p) => pattern[p] === '**',
    (p, s) => {
      const matches = pattern[p]
      return typeof matches === 'function' && matches(path[s] ?? '')
    },
  )
}

/** Whether one path component matches a pattern without `/` and braces. */
export function matchComponent(pattern: string, component: string): boolean {
  return componentMatcher(pattern)(component)
}

/** Most components of most patterns are plain names. */
const SPECIAL = /[*?[\\]/

function componentMatcher(pattern: string): ComponentMatcher {
  if (!SPECIAL.test(pattern)) return (component) => component === pattern
  const tokens = tokensOf(pattern)
  return (component) => matchTokens(tokens, Array.from(component))
}

function matchTokens(tokens: readonly Token[], characters: readonly string[]): boolean {
  return matchGreedily(
    tokens.length,
    characters.length,
    (p) => tokens[p] === 'star',
    (p, s) => isMatch(tokens[p], characters[s] ?? ''),
  )
}

function matchGreedily(
  patternLength: number,
  subjectLength: number,
  isStar: (p: number) => boolean,
  matches: (p: number, s: number) => boolean,
): boolean {
  let [p, s, star, resume] = [0, 0, -1, 0]
  while (s < subjectLength) {
    if (p < patternLength && isStar(p)) [star, resume, p] = [p, s, p + 1]
    else if (p < patternLength && matches(p, s)) [p, s] = [p + 1, s + 1]
    else if (star >= 0) [p, s, resume] = [star + 1, resume + 1, resume + 1]
    else return false
  }
  while (p < patternLength && isStar(p)) p++
  return p === patternLength
}

type Token = 'star' | ((character: string) => boolean)

function isMatch(token: Token | undefined, character: string): boolean {
  return typeof token === 'function' && token(character)
}

function tokensOf(pattern: string): Token[] {
  const characters = Array.from(pattern)
  const tokens: Token[] = []
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? ''
    const characterClass = character === '[' ? classFrom(characters, at) : undefined
    if (character === '*') tokens.push('star')
    else if (character === '?') tokens.push(() => true)
    else if (characterClass) {
      tokens.push(characterClass.token)
      at = characterClass.end
    } else {
      const literal = character === '\\' ? (characters[++at] ?? '\\') : character
      tokens.push((other) => other === literal)
    }
  }
  return tokens
}

/**
 * Parses `[…]` from the bracket at `at`. A `]` at its beginning is part of the class. Returns undefined if it is
 * not a class.
 */
function classFrom(characters: string[], at: number): { token: Token; end: number } | undefined {
  const isNegated = characters[at + 1] === '!' || characters[at + 1] === '^'
  const start = at + (isNegated ? 2 : 1)
  const end = characters.indexOf(']', start + 1)
  if (end === -1) return undefined
  const ranges = rangesOf(characters.slice(start, end))
  const isIn = (character: string) => ranges.some(([low, high]) => low <= character && character <= high)
  return { token: (character) => isIn(character) !== isNegated, end }
}

function rangesOf(characters: string[]): [string, string][] {
  const ranges: [string, string][] = []
  for (let at = 0; at < characters.length; at++) {
    const low = characters[at] ?? ''
    const high = characters[at + 2]
    if (characters[at + 1] === '-' && high !== undefined) {
      ranges.push([low, high])
      at += 2
    } else ranges.push([low, low])
  }
  return ranges
}
