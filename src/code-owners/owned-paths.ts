import type { CodeOwners, Entry, Owner, Section } from './code-owners.js'
import { compilePatterns } from './compile-patterns.js'

/** What the owners of some changed files decide: one for each line that gives one of them its owners. */
export interface OwnedPaths {
  /** Null for the lines before the first heading. */
  section: string | null
  isOptional: boolean
  pattern: string
  /** Of the file of code owners, from 1. */
  line: number
  owners: readonly Owner[]
  /** Number of approvals; 0 in optional sections. */
  approvals: number
  /** Number of changed files. */
  pathCount: number
  /** The first of them. */
  paths: string[]
}

const MAX_PATHS = 5

/**
 * The lines that give changed files their owners, in the order of the file: in each section the last one that matches, and
 * none if a line of the section excludes the file. Lines without owners are left out, since nobody could approve.
 * Throws `PatternsTooComplexError`.
 */
export function ownedPaths(
  { sections }: Pick<CodeOwners, 'sections'>,
  paths: Iterable<string>,
): OwnedPaths[] {
  const entries = sections.flatMap((section, of) => section.entries.map((entry) => ({ entry, section, of })))
  const matcher = compilePatterns(entries.map(({ entry }) => entry.source))
  const owned = new Map<number, OwnedPaths>()
  for (const path of paths) {
    /** By the position of the section. */
    const last = new Map<number, number>()
    for (const index of matcher.match(path)) {
      const found = entries[index]
      if (found) last.set(found.of, decided(last.get(found.of) ?? -1, index, found.entry))
    }
    for (const index of last.values()) {
      const found = entries[index]
      if (found && found.entry.owners.length > 0) addPath(owned, index, found, path)
    }
  }
  return [...owned].toSorted(([one], [other]) => one - other).map(([, rule]) => rule)
}

/** A section in which a file is excluded. */
const EXCLUDED = Number.MAX_SAFE_INTEGER

function decided(before: number, index: number, { isExclusion }: Entry): number {
  return isExclusion ? EXCLUDED : Math.max(before, index)
}

function addPath(
  owned: Map<number, OwnedPaths>,
  index: number,
  { entry, section }: { entry: Entry; section: Section },
  path: string,
): void {
  const known = owned.get(index)
  if (known) {
    known.pathCount += 1
    if (known.paths.length < MAX_PATHS) known.paths.push(path)
    return
  }
  const { pattern, line, owners } = entry
  const { name, isOptional, approvals } = section
  owned.set(index, {
    section: name,
    isOptional,
    pattern,
    line,
    owners,
    approvals,
    pathCount: 1,
    paths: [path],
  })
}
