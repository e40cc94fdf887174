import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { isObjectId, ZERO_ID } from '../../../git/names.js'
import { isMissingFile } from '../../../lib/files.js'

/**
 * The content of the files of a repository for a ref that git does not resolve: the ID of its object, or that it has
 * none, for example because the disk lost the bytes of its file.
 */
export type StoredRef = { kind: 'id'; id: string } | { kind: 'broken' }

/**
 * Undefined if no file has the ref.
 * @param ref a full name that `isRefName` accepts
 */
export async function storedRef(gitDir: string, ref: string): Promise<StoredRef | undefined> {
  const loose = (await readFile(join(gitDir, ref), 'utf8').catch(noFile))?.trim()
  if (loose !== undefined) {
    // Zeros stand for no object.
    return isObjectId(loose) && loose !== ZERO_ID ? { kind: 'id', id: loose } : { kind: 'broken' }
  }
  const id = await packedId(gitDir, ref)
  return id === undefined ? undefined : { kind: 'id', id }
}

/** The ID that the file of packed refs has for a ref. A file of its own goes before it. */
export async function packedId(gitDir: string, ref: string): Promise<string | undefined> {
  const packed = await readFile(join(gitDir, 'packed-refs')).catch(noFile)
  const end = packed?.indexOf(` ${ref}\n`) ?? -1
  if (!packed || end < 40) return undefined
  const id = packed.toString('latin1', end - 40, end)
  return isObjectId(id) ? id : undefined
}

/** Codes of errors for a path that is a folder, lies below a file, or is longer than a file system permits. */
const NO_FILE_CODES: ReadonlySet<string> = new Set(['EISDIR', 'ENOTDIR', 'ENAMETOOLONG'])

/** A ref of another name may be the folder, or a file on the way. */
function noFile(error: NodeJS.ErrnoException): undefined {
  if (!isMissingFile(error) && !NO_FILE_CODES.has(error.code ?? '')) throw error
}
