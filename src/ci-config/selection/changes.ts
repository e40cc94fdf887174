import { RuleError } from '../errors.js'
import { limits } from '../limits.js'
import type { KnownFiles } from './known-files.js'

/** Holds when one of the changed files fits one of the patterns (CI language, 7.4). */
export interface Changes {
  paths: string[]
  /** A ref: what counts is what has changed since the commit left it. */
  compareTo?: string
}

/** An event that has no list of files holds whatever the patterns say. Throws `RuleError` for a ref that is none. */
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
