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

/** What an archive is asked for as; whatever is unknown is a `tar.gz` (API, E5). */
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
  /** The one folder that everything lies in. */
  prefix: string
  /** Only this file or folder, which must be there. */
  path?: string | undefined
}

/** The files of a commit, packed while they are sent; `export-ignore` and `export-subst` of its attributes are kept to. */
export function archive(reading: Reading, { sha, format, prefix, path }: ArchiveOptions): Readable {
  const inner = format === 'tar.gz' ? 'tar' : format
  const only = path === undefined ? [] : ['--', path]
  const args = ['archive', `--format=${inner}`, `--prefix=${prefix}/`, sha, ...only]
  const packed = Readable.from(bytes(reading, args, { settings: { 'tar.tar.bz2.command': 'bzip2 -c' } }), {
    objectMode: false,
  })
  // Whoever reads the result hears of an error of git's.
  return format === 'tar.gz' ? pipeline(packed, createGzip(), () => undefined) : packed
}
