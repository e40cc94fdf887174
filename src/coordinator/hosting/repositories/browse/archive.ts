import { pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'

import { bytes, type Reading } from './reading.js'

export type ArchiveFormat = 'tar.gz' | 'tar.bz2' | 'tar' | 'zip'

export const ARCHIVE_TYPES: Record<ArchiveFormat, string> = {
  'tar.gz': 'application/gzip',
  'tar.bz2': 'application/x-bzip2',
  tar: 'application/x-tar',
  zip: 'application/zip',
}

/** Format of an archive by its suffix; an unknown suffix gives `tar.gz` (API, E5). */
export function archiveFormat(suffix: string | undefined): ArchiveFormat {
  switch (suffix) {
    case 'tar.bz2':
    case 'tbz':
    case 'tbz2':
    case 'tb2':
    case 'bz2':
      return 'tar.bz2'
    case 'tar':
    case 'zip':
      return suffix
    default:
      return 'tar.gz'
  }
}

export interface ArchiveOptions {
  sha: string
  format: ArchiveFormat
  /** Top folder that contains all files. */
  prefix: string
  /** Only this file or folder, which must exist. */
  path?: string | undefined
}

/** Streams the files of a commit as an archive; the attributes `export-ignore` and `export-subst` apply. */
export function archive(reading: Reading, { sha, format, prefix, path }: ArchiveOptions): Readable {
  const inner = format === 'tar.gz' ? 'tar' : format
  const only = path === undefined ? [] : ['--', path]
  const args = ['archive', `--format=${inner}`, `--prefix=${prefix}/`, sha, ...only]
  const packed = Readable.from(bytes(reading, args, { settings: { 'tar.tar.bz2.command': 'bzip2 -c' } }), {
    objectMode: false,
  })
  // The reader of the result gets the errors of git.
  return format === 'tar.gz' ? pipeline(packed, createGzip(), () => undefined) : packed
}
