import { readdir, readlink } from 'node:fs/promises'
import { basename, join } from 'node:path'

import { pause } from '../../lib/pause.js'

const PROCESSES = '/proc'
const MILLISECONDS_BETWEEN_LOOKS = 20

/**
 * Ends the git processes that a killed runner left at work in `home`, and waits until they are gone. A process of a
 * container is never one of them, whatever its directory is called: it sees another file system.
 */
export async function endOrphans(home: string): Promise<void> {
  for (;;) {
    const orphans = await findOrphans(home)
    if (orphans.length === 0) return
    orphans.forEach(kill)
    await pause(MILLISECONDS_BETWEEN_LOOKS)
  }
}

async function findOrphans(home: string): Promise<number[]> {
  const names = await readdir(PROCESSES).catch(() => []) // no such folder: not Linux, and nothing can be found
  const files = await readlink(join(PROCESSES, 'self/ns/mnt')).catch(() => undefined)
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number)
  const found = await Promise.all(pids.map((pid) => isOrphan(pid, home, files)))
  return pids.filter((_, index) => found[index])
}

async function isOrphan(pid: number, home: string, files: string | undefined): Promise<boolean> {
  const see = (name: string) => readlink(join(PROCESSES, String(pid), name))
  try {
    if (!/^git(-|$)/.test(basename(await see('exe')).replace(/ \(deleted\)$/, ''))) return false
    return `${await see('cwd')}/`.startsWith(`${home}/`) && (await see('ns/mnt')) === files
  } catch {
    return false // it has ended, or belongs to somebody else
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
