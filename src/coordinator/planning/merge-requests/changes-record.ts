import type { VersionRow } from '../stores/merge-request-store.js'

/** Number of changed files from which the number is not exact. */
const MAX_CHANGES = 1000

/** Number of changed files, in the form of records (API, A10). */
export function changesCount({ file_count }: VersionRow): string {
  return file_count > MAX_CHANGES ? `${MAX_CHANGES}+` : String(file_count)
}

/** The commits between which the changes are. */
export function diffRefs({ base_sha, head_sha, start_sha }: VersionRow) {
  return { base_sha, head_sha, start_sha }
}
