import { readdir, readFile, readlink } from 'node:fs/promises'
import { basename, join } from 'node:path'

import { pause } from '../../lib/pause.js'

const PROCESSES = '/proc'
const MILLISECONDS_BETWEEN_LOOKS = 20

/**
 * Knows where git may still be at work although nobody waits for it: in homes that an earlier process worked in, and
 * where work of this one failed. Anywhere else there is none, as a home has one runner and one job at a time; looking at
 * every process of the machine is left out there.
 */
export class QuietHomes {
  private readonly quiet = new Set<string>()

  /** Does `work`, which runs git in `home`, with no other git at work there. */
  async work<Result>(home: string, work: () => Promise<Result>): Promise<Result> {
    if (!this.quiet.delete(home)) await endOrphans(home)
    const result = await work()
    this.quiet.add(home)
    return result
  }
}

/**
 * Ends the git processes that are left at work in `home`, and waits until they are gone. A process of a
 * container is never one of them, whatever its directory is called: it sees another file system.
 */
async function endOrphans(home: string): Promise<void> {
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
    if (!(await isGit(pid))) return false
    return `${await see('cwd')}/`.startsWith(`${home}/`) && (await see('ns/mnt')) === files
  } catch {
    return false // it has ended, or belongs to somebody else
  }
}

/** Or the shell that runs git several times. */
async function isGit(pid: number): Promise<boolean> {
  const program = await readlink(join(PROCESSES, String(pid), 'exe'))
  if (/^git(-|$)/.test(basename(program).replace(/ \(deleted\)$/, ''))) return true
  return (await readFile(join(PROCESSES, String(pid), 'comm'), 'utf8')) === 'sh\n'
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
