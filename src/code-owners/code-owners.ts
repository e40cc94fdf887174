/** Who is named as an owner in a file of code owners. */
export type Owner =
  /** A user or a group, by its full path. */
  | { kind: 'name'; name: string }
  | { kind: 'email'; email: string }
  /** The direct members of a project with exactly this role. */
  | { kind: 'role'; role: OwnerRole }

export const OWNER_ROLES = ['developer', 'maintainer', 'owner'] as const
export type OwnerRole = (typeof OWNER_ROLES)[number]

/** A line that gives the files of a pattern owners. */
export interface Entry {
  /** Of the file, from 1. */
  line: number
  /** As written, without the escapes of spaces and `#`. */
  pattern: string
  /** The pattern for `compilePatterns`. */
  source: string
  /** Whether matching files have no owners in this section, whatever its other lines say. */
  isExclusion: boolean
  owners: readonly Owner[]
}

/** Lines that are evaluated together: the last one that matches a file gives its owners. */
export interface Section {
  /** Null for the lines before the first heading. */
  name: string | null
  isOptional: boolean
  /** Number of approvals that each of its lines requires; 0 if it is optional. */
  approvals: number
  entries: readonly Entry[]
}

export type ProblemKind =
  | 'section_without_name'
  | 'section_not_closed'
  | 'approvals_invalid'
  | 'owner_malformed'
  | 'no_owner'
  | 'exclusion_with_owners'
  | 'pattern_missing'
  | 'pattern_too_complex'
  | 'too_many_owners'
  | 'line_too_long'
  | 'file_too_large'

/** What is wrong with a line. Whatever can be read of the line still counts. */
export interface CodeOwnersProblem {
  /** From 1. */
  line: number
  kind: ProblemKind
  /** One sentence for users. */
  message: string
}

export interface CodeOwners {
  sections: readonly Section[]
  problems: readonly CodeOwnersProblem[]
  /** Whether the file was read whole. If not, files may have owners that are not known. */
  isComplete: boolean
}
