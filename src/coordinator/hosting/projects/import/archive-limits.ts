import {
  AVATAR_FILE,
  BUNDLE_FILE,
  LFS_FILE,
  LFS_FOLDER,
  partFile,
  PROJECT_FILE,
  UPLOADS_FILE,
  UPLOADS_FOLDER,
  WIKI_FILE,
} from '../export/archive-format.js'

const MiB = 1024 * 1024
const GiB = 1024 * MiB

/** Maximum size of an uploaded archive, in bytes. */
export const MAX_ARCHIVE_BYTES = 5 * GiB

/** Limits of the unpacked archive, against decompression bombs. */
export const ARCHIVE_LIMITS = {
  maximumEntries: 100_000,
  maximumBytes: 10 * GiB,
  maximumRatio: 200,
  ratioFromBytes: 256 * MiB,
}

/** Maximum number of records per part. */
export const MAX_RECORDS = 1_000_000

const LFS_OBJECT = new RegExp(`^${LFS_FOLDER}/[0-9a-f]{64}$`)
const UPLOAD = new RegExp(`^${UPLOADS_FOLDER}/[0-9a-f]{32}$`)

/** Maximum size of each file of an archive, in bytes; undefined for a name that no archive contains. */
export function maxBytesOf(partNames: readonly string[]): (name: string) => number | undefined {
  const fixed = new Map([
    [PROJECT_FILE, MiB],
    ...[UPLOADS_FILE, LFS_FILE, ...partNames.map(partFile)].map((name) => [name, GiB] as const),
    [BUNDLE_FILE, MAX_ARCHIVE_BYTES],
    [WIKI_FILE, MAX_ARCHIVE_BYTES],
    [AVATAR_FILE, 4 * MiB],
  ])
  return (name) => {
    if (LFS_OBJECT.test(name)) return MAX_ARCHIVE_BYTES
    return fixed.get(name) ?? (UPLOAD.test(name) ? 100 * MiB : undefined)
  }
}
