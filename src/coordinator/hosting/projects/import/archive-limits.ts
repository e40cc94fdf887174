import {
  AVATAR_FILE,
  BUNDLE_FILE,
  partFile,
  PROJECT_FILE,
  UPLOADS_FILE,
  UPLOADS_FOLDER,
} from '../export/archive-format.js'

const MiB = 1024 * 1024
const GiB = 1024 * MiB

/** Bytes of an archive that somebody brings. */
export const MAX_ARCHIVE_BYTES = 5 * GiB

/** What an archive may unpack to. More is taken for a bomb. */
export const ARCHIVE_LIMITS = {
  maximumEntries: 100_000,
  maximumBytes: 10 * GiB,
  maximumRatio: 200,
  ratioFromBytes: 256 * MiB,
}

/** Records of one kind. */
export const MAX_RECORDS = 100_000

const UPLOAD = new RegExp(`^${UPLOADS_FOLDER}/[0-9a-f]{32}$`)

/** Bytes that each file of an archive may have; undefined for what is none. */
export function maxBytesOf(partNames: readonly string[]): (name: string) => number | undefined {
  const fixed = new Map([
    [PROJECT_FILE, MiB],
    ...[UPLOADS_FILE, ...partNames.map(partFile)].map((name) => [name, 256 * MiB] as const),
    [BUNDLE_FILE, MAX_ARCHIVE_BYTES],
    [AVATAR_FILE, 4 * MiB],
  ])
  return (name) => fixed.get(name) ?? (UPLOAD.test(name) ? 100 * MiB : undefined)
}
