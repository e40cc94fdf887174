import { RuleError } from '../errors.js'
import { limits } from '../limits.js'
import type { ProjectCommit } from '../sources.js'
import type { KnownFiles } from './known-files.js'
import { hasWildcard } from './path-glob.js'
import type { PathList } from './path-list.js'

/** True if a commit has a file that matches one of the patterns (CI language, 7.5). */
export interface Exists {
  paths: string[]
  /** Another project than the pipeline's, and a ref of it; absent = the head of its default branch. */
  project?: string
  ref?: string
}

interface ExistsScope {
  files: KnownFiles
  commit?: ProjectCommit
}

/** Throws `RuleError` if the project or its ref does not exist for the user. */
export async function existsHolds(exists: Exists, { files, commit }: ExistsScope): Promise<boolean> {
  if (exists.paths.length === 0) return false
  const where = exists.project === undefined ? commit : await findCommit(exists.project, exists.ref, files)
  if (!where) return false
  const all = await files.filesOf(where)
  return anyExists(exists.paths, exists.paths.every(isTopLevel) ? all.topLevel() : all)
}

async function findCommit(
  project: string,
  ref: string | undefined,
  files: KnownFiles,
): Promise<ProjectCommit> {
  const found = await files.findProject(project, ref)
  if (found === 'not-found') {
    throw new RuleError(`rules:exists:project \`${project}\` not found or access denied`)
  }
  if (found === 'no-such-ref') {
    throw new RuleError(`rules:exists:ref \`${ref ?? ''}\` is not a valid ref in project \`${project}\``)
  }
  return found
}

/** Only patterns that must be compared with every path count towards the limit. */
function anyExists(patterns: string[], files: PathList): boolean {
  const globs: string[] = []
  for (const pattern of patterns) {
    const suffix = suffixOf(pattern)
    if (suffix !== undefined ? files.hasEndingIn(suffix) : isExact(pattern, files)) return true
    if (suffix === undefined && hasWildcard(pattern)) globs.push(pattern)
  }
  if (files.size * globs.length > limits.globComparisons) return true
  return globs.some((glob) => files.hasMatch(glob))
}

function isExact(pattern: string, files: PathList): boolean {
  if (hasWildcard(pattern)) return false
  return pattern.endsWith('/') ? files.hasBelow(pattern) : files.has(pattern)
}

/** `**\/*` before an ending that starts with a dot: every path with this ending, in any directory. */
function suffixOf(pattern: string): string | undefined {
  const suffix = pattern.startsWith('**/*.') ? pattern.slice(4) : undefined
  return suffix === undefined || hasWildcard(suffix) ? undefined : suffix
}

function isTopLevel(pattern: string): boolean {
  return !pattern.includes('/') && !pattern.includes('**')
}
