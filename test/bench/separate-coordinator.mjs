import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { startCoordinator, stop } from './installation.mjs'

/**
 * Runs `work` with a coordinator of its own, which has nothing in its store and no runner.
 * @template T
 * @param {string[]} flags
 * @param {(coordinator: { url: string, pid: number, folder: string }) => Promise<T>} work
 */
export async function withCoordinator(flags, work) {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-bench-coordinator-'))
  const log = createWriteStream(join(folder, 'log'))
  const coordinator = await startCoordinator(folder, log, flags)
  try {
    return await work({ url: coordinator.url, pid: coordinator.process.pid ?? 0, folder })
  } finally {
    await stop(coordinator.process, 'SIGTERM')
    log.end()
    await rm(folder, { recursive: true, force: true })
  }
}
