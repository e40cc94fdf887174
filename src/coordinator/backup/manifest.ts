import { createHash } from 'node:crypto'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

import { isRecord } from '../../lib/is-record.js'
import type { DialectName } from '../database/connect.js'
import { BackupError } from './errors.js'

/** A file of a backup. Its content is the object `sha256` of the backup folder. */
export interface BackedUpFile {
  /** In the data folder, with `/`. */
  path: string
  /** Bytes. */
  size: number
  /** Hexadecimal. */
  sha256: string
}

export interface Manifest {
  /** Version of Switchyard that made the backup. */
  version: string
  /** The moment that the backup shows, in milliseconds since 1970. */
  takenAt: number
  dialect: DialectName
  /** Objects with the copy of the database: a file of SQLite, or an archive of pg_dump. */
  database: Omit<BackedUpFile, 'path'>
  /** Files that rows name, and that were missing in the instance itself. */
  missing: string[]
  files: BackedUpFile[]
}

const FORMAT = 1

/**
 * The text of a manifest: a line with what applies to all, a line for each file, and a last line with the digest of
 * the lines before. So a manifest that was cut or changed is recognized.
 */
export function* manifestLines({ files, ...head }: Manifest): Generator<string> {
  const digest = createHash('sha256')
  const line = (value: unknown): string => {
    const text = `${JSON.stringify(value)}\n`
    digest.update(text)
    return text
  }
  yield line({ format: FORMAT, version: head.version, taken_at: head.takenAt, dialect: head.dialect })
  yield line({ database: head.database, missing: head.missing })
  for (const { path, size, sha256 } of files) yield line([path, size, sha256])
  yield `${JSON.stringify({ sha256: digest.digest('hex') })}\n`
}

/**
 * Reads a manifest. Throws `BackupError` if it is damaged.
 * @param content undefined = there is none
 * @param file for people
 */
export async function readManifest(content: Readable | undefined, file: string): Promise<Manifest> {
  if (!content) throw new BackupError(`There is no backup ${file}.`)
  const damaged = new BackupError(
    `The list of files ${file} is damaged, so this backup cannot be used. Choose another backup.`,
  )
  const digest = createHash('sha256')
  const values: unknown[] = []
  let before: string | undefined
  try {
    for await (const line of createInterface({ input: content, crlfDelay: Infinity })) {
      if (before !== undefined) {
        digest.update(`${before}\n`)
        values.push(JSON.parse(before))
      }
      before = line
    }
    const last: unknown = JSON.parse(before ?? '')
    if (!isRecord(last) || last['sha256'] !== digest.digest('hex')) throw damaged
  } catch (error) {
    throw error instanceof SyntaxError ? damaged : error
  }
  const [head, rest, ...files] = values
  if (!isRecord(head) || !isRecord(rest)) throw damaged
  if (head['format'] !== FORMAT) {
    throw new BackupError(`${file} was made by a newer version of Switchyard. Install that version.`)
  }
  // The digest shows that this is what `manifestLines` wrote.
  return {
    version: head['version'] as string,
    takenAt: head['taken_at'] as number,
    dialect: head['dialect'] as DialectName,
    database: rest['database'] as Manifest['database'],
    missing: rest['missing'] as string[],
    files: (files as [string, number, string][]).map(([path, size, sha256]) => ({ path, size, sha256 })),
  }
}
