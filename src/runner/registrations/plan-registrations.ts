import type { RunnerEntry } from '../config/settings.js'

export interface EntryPlan {
  /** Entries by their key, in the order of the settings. */
  wanted: Map<string, RunnerEntry>
  /** Keys of entries that run and are not wanted any more. */
  removed: string[]
  /** Entries that stand in the settings a second time. */
  repeated: RunnerEntry[]
}

/** An entry is the same one for as long as it is the same runner at the same coordinator. */
export function entryKey({ url, token }: Pick<RunnerEntry, 'url' | 'token'>): string {
  return `${url} ${token}`
}

/** What has to be done so that the entries at work are those of the settings. */
export function planEntries(running: Iterable<string>, entries: readonly RunnerEntry[]): EntryPlan {
  const wanted = new Map<string, RunnerEntry>()
  const repeated: RunnerEntry[] = []
  for (const entry of entries) {
    const key = entryKey(entry)
    if (wanted.has(key)) repeated.push(entry)
    else wanted.set(key, entry)
  }
  return { wanted, removed: [...running].filter((key) => !wanted.has(key)), repeated }
}
