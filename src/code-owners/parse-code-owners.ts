import type { CodeOwners, CodeOwnersProblem, Entry, Owner, ProblemKind, Section } from './code-owners.js'
import { parseOwner } from './parse-owner.js'
import { isOverLimit, readPattern } from './read-pattern.js'
import { type Heading, parseHeading } from './section-heading.js'

/** In characters of a file. */
export const MAX_LENGTH = 1024 * 1024
const MAX_LINE_LENGTH = 10_000
const MAX_ENTRIES = 10_000
const MAX_SECTIONS = 1000
const MAX_OWNERS = 100
/** Number of problems that are kept; a file may have more. */
const MAX_PROBLEMS = 100

/** While the lines of a section are read: its headings may be several, which together make one section. */
interface Draft {
  name: string | null
  isOptional: boolean
  approvals: number
  defaults: readonly Owner[]
  entries: Entry[]
}

/**
 * Reads a file of code owners. Never throws: what is wrong with a line becomes a problem, and the rest of the line counts.
 * What exceeds the limits is not read, and `isComplete` is false then.
 */
export function parseCodeOwners(text: string): CodeOwners {
  return new Parser().read(text)
}

class Parser {
  private readonly sections = new Map<string, Draft>()
  private readonly problems: CodeOwnersProblem[] = []
  private isComplete = true
  private entries = 0
  private line = 0
  private current = this.sectionOf({ key: '', name: null, isOptional: false, approvals: 1 })

  read(text: string): CodeOwners {
    if (text.length > MAX_LENGTH)
      this.cut('file_too_large', `The file is longer than ${MAX_LENGTH} characters.`)
    for (const line of text.slice(0, MAX_LENGTH).split('\n')) {
      this.line += 1
      if (!this.readLine(line.trim())) break
    }
    const sections = [...this.sections.values()].filter(({ entries }) => entries.length > 0)
    return { sections: sections.map(finished), problems: this.problems, isComplete: this.isComplete }
  }

  /** False if the rest of the file is not read. */
  private readLine(line: string): boolean {
    if (line === '' || line.startsWith('#')) return true
    if (line.length > MAX_LINE_LENGTH) {
      this.cut('line_too_long', `The line is longer than ${MAX_LINE_LENGTH} characters, and was not read.`)
      return true
    }
    const heading = parseHeading(line)
    if (heading === 'not closed') {
      this.problem('section_not_closed', 'The name of the section has no closing bracket.')
      return true
    }
    return heading ? this.beginSection(heading) : this.addEntry(line)
  }

  private beginSection({ isOptional, name, approvals, owners }: Heading): boolean {
    if (this.sections.size > MAX_SECTIONS) {
      this.cut('file_too_large', `The file has more than ${MAX_SECTIONS} sections.`)
      return false
    }
    if (name === '') this.problem('section_without_name', 'The section has no name.')
    const count = approvals === undefined ? 1 : countOf(approvals)
    if (count === undefined) {
      this.problem('approvals_invalid', 'The number of approvals must be from 1 to 1000; 1 is required.')
    }
    const shown = name === '' ? `Section in line ${this.line}` : name
    this.current = this.sectionOf({
      key: shown.toLowerCase(),
      name: shown,
      isOptional,
      approvals: count ?? 1,
    })
    this.current.defaults = this.ownersIn(owners)
    return true
  }

  /** Headings of one name make one section, which is optional only if all of them are. */
  private sectionOf({
    key,
    name,
    isOptional,
    approvals,
  }: Pick<Draft, 'name' | 'isOptional' | 'approvals'> & { key: string }): Draft {
    const known = this.sections.get(key)
    if (!known) {
      const draft = { name, isOptional, approvals, defaults: [], entries: [] }
      this.sections.set(key, draft)
      return draft
    }
    known.isOptional &&= isOptional
    known.approvals = Math.max(known.approvals, approvals)
    return known
  }

  private addEntry(line: string): boolean {
    if (this.entries === MAX_ENTRIES) {
      this.cut('file_too_large', `The file has more than ${MAX_ENTRIES} patterns.`)
      return false
    }
    const { source, pattern, isExclusion, rest } = readPattern(line)
    if (source === '' || source === '/') {
      this.problem('pattern_missing', 'The line has no pattern.')
      return true
    }
    if (isOverLimit(source)) {
      this.cut('pattern_too_complex', 'The pattern is too long or has too many folders, and was not read.')
      return true
    }
    this.entries += 1
    this.current.entries.push({
      line: this.line,
      pattern,
      source,
      isExclusion,
      owners: this.ownersOf(rest, isExclusion),
    })
    return true
  }

  private ownersOf(rest: string, isExclusion: boolean): readonly Owner[] {
    const owners = this.ownersIn(rest)
    if (isExclusion) {
      if (owners.length > 0)
        this.problem('exclusion_with_owners', 'A pattern that excludes files has no owners.')
      return []
    }
    if (owners.length > 0) return owners
    const { defaults } = this.current
    if (defaults.length === 0)
      this.problem('no_owner', 'No user, group, e-mail address or role owns these files.')
    return defaults
  }

  /** Owners up to a comment. */
  private ownersIn(text: string): Owner[] {
    const owners: Owner[] = []
    for (const word of text.split(/\s+/)) {
      if (word.startsWith('#')) break
      if (word === '') continue
      const owner = parseOwner(word)
      if (!owner)
        this.problem('owner_malformed', `\`${shortened(word)}\` is no user, group, e-mail address or role.`)
      else if (owners.length === MAX_OWNERS)
        this.problem('too_many_owners', `Only ${MAX_OWNERS} owners count.`)
      else owners.push(owner)
      if (owners.length > MAX_OWNERS) break
    }
    return owners
  }

  private problem(kind: ProblemKind, message: string): void {
    if (this.problems.length < MAX_PROBLEMS)
      this.problems.push({ line: Math.max(this.line, 1), kind, message })
  }

  private cut(kind: ProblemKind, message: string): void {
    this.isComplete = false
    this.problem(kind, message)
  }
}

function finished({ name, isOptional, approvals, entries }: Draft): Section {
  return { name, isOptional, approvals: isOptional ? 0 : approvals, entries }
}

function countOf(text: string): number | undefined {
  const count = /^\d{1,4}$/.test(text) ? Number(text) : 0
  return count >= 1 && count <= 1000 ? count : undefined
}

function shortened(word: string): string {
  return word.length > 80 ? `${word.slice(0, 79)}…` : word
}
