import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { createFile } from '../../../../lib/files.js'

/** Not in backups: what is restored is another owner, which must delete nothing in the bucket of the first one. */
const FILE = 'storage-owner'

/** The ID under which the coordinators on a shared folder own a bucket. The first call creates it. */
export async function storageOwner(sharedDir: string): Promise<string> {
  const path = join(sharedDir, FILE)
  const made = randomUUID()
  return (await createFile(path, `${made}\n`)) ? made : (await readFile(path, 'utf8')).trim()
}

/** The next call of `storageOwner` creates another one, which owns no bucket. */
export async function forgetStorageOwner(sharedDir: string): Promise<void> {
  await rm(join(sharedDir, FILE), { force: true })
}
