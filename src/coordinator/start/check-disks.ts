import { statfs } from 'node:fs/promises'

import { formatBytes } from '../../lib/format-bytes.js'
import { NotReadyError } from '../http/health.js'
import type { CoordinatorSettings } from './config/settings.js'

/** What a coordinator needs to go on for some time: at most 64 MiB, and at most a hundredth of a small disk. */
const MARGIN = 64 * 1024 * 1024
const SHARE = 0.01

/** Throws `NotReadyError` with the setting of the folder whose disk is full. */
export async function checkDisks({
  dataDir,
  sharedDir,
}: Pick<CoordinatorSettings, 'dataDir' | 'sharedDir'>): Promise<void> {
  const folders = { data_dir: dataDir, ...(sharedDir !== dataDir && { shared_dir: sharedDir }) }
  for (const [setting, folder] of Object.entries(folders)) {
    const { blocks, bavail, bsize } = await statfs(folder)
    const free = bavail * bsize
    if (free < Math.min(MARGIN, blocks * bsize * SHARE))
      throw new NotReadyError(`The disk of ${setting} is full: ${formatBytes(free)} are left`)
  }
}
