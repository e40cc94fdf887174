import { type FSWatcher, watch } from 'node:fs'

/**
 * Calls `onChange` when something in the directory changes. Undefined if it does not exist or the machine allows no more
 * watchers. The directory may be removed later, and some network file systems report nothing: callers also check from time
 * to time.
 */
export function watchDirectory(directory: string, onChange: () => void): FSWatcher | undefined {
  try {
    return watch(directory, onChange).on('error', () => {})
  } catch {
    return undefined
  }
}
