import { access, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { CloneAddress } from './clone-address.js'
import { lfsSettings, removeLfsLogs } from './git-lfs.js'
import type { GitLink, HostRepository } from './host-repository.js'
import type { Sources } from './sources.js'

export interface Checkout {
  repository: HostRepository
  sha: string
  /** For files of Git LFS. */
  address: CloneAddress
  /** Whether the tree contains nothing from earlier jobs. */
  isFresh: boolean
}

/** This file exists while every file of Git LFS in the tree has its content, and none is a pointer. */
const SMUDGED_MARKER = 'switchyard-smudged'

/** Checks out the commit in one tree and cleans it as the job requires. Returns the submodules of the commit. */
export async function checkOutTree(
  checkout: Checkout,
  sources: Pick<Sources, 'settings' | 'hasLfs'>,
): Promise<GitLink[]> {
  const { repository, sha, isFresh } = checkout
  const { isLfsWanted } = sources.settings
  const cleanFlags = isFresh ? undefined : sources.settings.cleanFlags
  if (!sources.hasLfs) return await repository.checkOut(sha, { cleanFlags })
  return await checkOutWithLfs(checkout, isLfsWanted, cleanFlags)
}

async function checkOutWithLfs(
  { repository, sha, address, isFresh }: Checkout,
  isSmudging: boolean,
  cleanFlags: string[] | undefined,
): Promise<GitLink[]> {
  const settings = lfsSettings(address, isSmudging)
  const marker = join(repository.gitDir, SMUDGED_MARKER)
  const wasSmudged = await isThere(marker)
  try {
    if (!isSmudging) await rm(marker, { force: true })
    const links = await repository.checkOut(sha, { settings, cleanFlags })
    if (!isSmudging || wasSmudged) return links
    if (!isFresh) await replacePointers(repository, sha, settings)
    await writeFile(marker, '')
    return links
  } finally {
    await removeLfsLogs(repository.gitDir)
  }
}

/** Git treats a pointer as equal to its file, so it would not replace the pointers of an earlier job. */
async function replacePointers(
  repository: HostRepository,
  sha: string,
  settings: Record<string, string>,
): Promise<void> {
  const files = await repository.lfsFiles()
  if (files.length === 0) return
  await repository.deleteFromIndex(files)
  await repository.checkOut(sha, { settings })
}

async function isThere(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  )
}
