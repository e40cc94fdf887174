import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { MINUTE } from '../../lib/time-units.js'
import { HostRepository } from './host-repository.js'
import type { WorkspaceLayout } from './layout.js'

/** Maximum milliseconds for packing, which delays the release of the job's slot. */
const MAINTENANCE_LIMIT = 2 * MINUTE

/** Packs the repositories of a workspace, including those of its submodules, as far as it is worthwhile. */
export async function packRepositories({ gitDir, modulesDir, workTree }: WorkspaceLayout): Promise<void> {
  const signal = AbortSignal.timeout(MAINTENANCE_LIMIT)
  const modules = (await readdir(modulesDir)).map((name) => join(modulesDir, name))
  for (const directory of [gitDir, ...modules]) {
    const repository = new HostRepository(directory, workTree, signal)
    if (await repository.exists()) await repository.collectGarbage()
  }
}
