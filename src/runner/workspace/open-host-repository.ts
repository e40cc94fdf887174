import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { HostRepository } from './host-repository.js'
import type { WorkspaceLayout } from './layout.js'
import { emptyDirectory } from './remove-tree.js'

/** Makes a repository usable, from what is left of it or from scratch. Returns whether it is new. */
export async function openHostRepository(
  repository: HostRepository,
  objectFormat: string,
  startAfresh: () => Promise<void>,
): Promise<boolean> {
  if (await repository.isInitialized(objectFormat)) {
    await repository.removeRemains()
    return false
  }
  await startAfresh()
  await repository.initialize(objectFormat)
  return true
}

/**
 * Removes all contents of a workspace. The directories stay, because an existing container may have them mounted.
 */
export async function startAfresh(
  layout: WorkspaceLayout,
  repository: HostRepository,
  signal: AbortSignal,
): Promise<void> {
  await clearRepository(repository)
  await emptyDirectory(layout.modulesDir)
  await emptyDirectory(layout.workTree, { signal })
}

/** Replaces a repository by an empty directory. */
export async function clearRepository(repository: HostRepository): Promise<void> {
  const { gitDir } = repository
  await mkdir(gitDir, { recursive: true })
  await repository.clearCache()
  await emptyDirectory(gitDir, { kept: ['objects'] })
  await mkdir(join(gitDir, 'objects'), { recursive: true })
  await emptyDirectory(join(gitDir, 'objects'))
}
