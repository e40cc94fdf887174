/** A position of a glob that matches one character. */
type One = (character: string) => boolean

/** A glob for one name of a path: parts between `*`, each with what it demands of every character. */
export interface Glob {
  /** The text before the first `*` or other wildcard, compared first. */
  head: string
  /** The text after the last one. */
  tail: string
  parts: One[][]
  /** The parts between head and tail as texts, if `*` is the only wildcard. */
  texts: string[] | undefined
}

/**
 * Compiles a name of a pattern: `*` stands for any text, `?` for one character, `[a-z]` and `[!a-z]` for one of a set, and
 * `\` for the next character as it is. A string is a name without wildcards.
 */
export function compileGlob(source: string): Glob | string {
  const parts: One[][] = [[]]
  const literals: (string | undefined)[] = []
  const add = (one: One, literal?: string) => {
    parts.at(-1)?.push(one)
    literals.push(literal)
  }
  const characters = Array.from(source)
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? ''
    if (character === '*') {
      parts.push([])
      literals.push(undefined)
    } else if (character === '?') add(() => true)
    else if (character === '[') {
      const set = readSet(characters, at)
      if (set) {
        add(set.one)
        at = set.end
      } else add(is(character), character)
    } else if (character === '\\' && at + 1 < characters.length) {
      at += 1
      add(is(characters[at] ?? ''), characters[at])
    } else add(is(character), character)
  }
  const first = literals.indexOf(undefined)
  if (first === -1) return literals.join('')
  const last = literals.lastIndexOf(undefined)
  const head = literals.slice(0, first).join('')
  return {
    head,
    tail: literals.slice(last + 1).join(''),
    parts,
    texts: textsBetween(source, literals, parts),
  }
}

function textsBetween(
  source: string,
  literals: readonly (string | undefined)[],
  parts: readonly One[][],
): string[] | undefined {
  if (/[?[\\]/.test(source)) return undefined
  const texts: string[] = []
  let at = 0
  for (const part of parts) {
    texts.push(literals.slice(at, at + part.length).join(''))
    at += part.length + 1
  }
  return texts.slice(1, -1)
}

function is(wanted: string): One {
  return (character) => character === wanted
}

/** The set that begins with the `[` at a position; undefined if it has no end, so that the `[` is a character. */
function readSet(characters: readonly string[], start: number): { one: One; end: number } | undefined {
  const isNegated = characters[start + 1] === '!' || characters[start + 1] === '^'
  const from = start + (isNegated ? 2 : 1)
  // A `]` at the beginning belongs to the set.
  const end = characters.indexOf(']', from + 1)
  if (end === -1) return undefined
  const members = characters.slice(from, end)
  const has = (character: string) => isInSet(members, character)
  return { one: isNegated ? (character) => !has(character) : has, end }
}

function isInSet(members: readonly string[], character: string): boolean {
  for (let at = 0; at < members.length; at += 1) {
    const low = members[at] ?? ''
    const high = members[at + 2]
    if (members[at + 1] === '-' && high !== undefined) {
      if (character >= low && character <= high) return true
      at += 2
    } else if (character === low) return true
  }
  return false
}

/**
 * Whether the glob matches the whole name. Each part is matched at its first position after the previous one, so the time is
 * at most the product of both lengths.
 */
export function matchesGlob({ head, tail, parts, texts }: Glob, name: string): boolean {
  if (name.length < head.length + tail.length || !name.startsWith(head) || !name.endsWith(tail)) return false
  return texts ? hasInOrder(name, texts, head.length, name.length - tail.length) : fitsParts(name, parts)
}

/** Whether the texts follow each other between two positions. */
function hasInOrder(name: string, texts: readonly string[], start: number, end: number): boolean {
  let from = start
  for (const text of texts) {
    const found = name.indexOf(text, from)
    if (found === -1) return false
    from = found + text.length
  }
  return from <= end
}

/** As `matchesGlob`, for all wildcards. */
function fitsParts(name: string, parts: readonly One[][]): boolean {
  const [first = [], ...others] = parts
  const characters = Array.from(name)
  const last = others.pop()
  if (last === undefined) return characters.length === first.length && fits(first, characters, 0)
  if (!fits(first, characters, 0)) return false
  let from = first.length
  for (const part of others) {
    while (from + part.length <= characters.length && !fits(part, characters, from)) from += 1
    if (from + part.length > characters.length) return false
    from += part.length
  }
  const end = characters.length - last.length
  return end >= from && fits(last, characters, end)
}

function fits(part: readonly One[], characters: readonly string[], from: number): boolean {
  if (from + part.length > characters.length) return false
  return part.every((one, index) => one(characters[from + index] ?? ''))
}
