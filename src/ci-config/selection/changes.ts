import { RuleError } from '../errors.js'
import { limits } from '../limits.js'
import type { KnownFiles } from './known-files.js'

/** True if a changed file matches one of the patterns (CI language, 7.4). */
export interface Changes {
  paths: string[]
  /** A ref: compares with the common ancestor of the commit and this ref. */
  compareTo?: string
}

/** An event without a file list always matches. Throws `RuleError` for an unknown ref. */
export async function changesHold({ paths, compareTo }: Changes, files: KnownFiles): Promise<boolean> {
  const changed = await files.changed(compareTo)
  if (!changed) {
    if (compareTo === undefined) return true
    throw new RuleError('rules:changes:compare_to is not a valid ref')
  }
  const globs = new Set(paths)
  if (changed.size * globs.size > limits.globComparisons) return true
  return [...globs].some((glob) => changed.hasMatch(glob))
}
