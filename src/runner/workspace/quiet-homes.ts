import { readdir, readFile, readlink } from 'node:fs/promises'
import { basename, join } from 'node:path'

import { pause } from '../../lib/pause.js'

const PROCESSES = '/proc'
const MILLISECONDS_BETWEEN_LOOKS = 20

/**
 * Knows in which homes a git process without a parent may still be running: those that an earlier process used, and
 * those in which an operation of this process failed. All others have none, because a home has one runner and one job
 * at a time. The search through all processes of the machine is skipped for these.
 */
export class QuietHomes {
  private readonly quiet = new Set<string>()

  /** Runs `work`, which runs git in `home`, after all other git processes there have ended. */
  async work<Result>(home: string, work: () => Promise<Result>): Promise<Result> {
    if (!this.quiet.delete(home)) await endOrphans(home)
    const result = await work()
    this.quiet.add(home)
    return result
  }
}

/**
 * Ends the git processes that are still running in `home`, and waits for their end. Processes in containers are
 * never included, whatever their directory is called, because they see another file system.
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
  // no such folder: this is not Linux, and nothing can be found
  const names = await readdir(PROCESSES).catch(() => [])
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
    return false // it has ended, or belongs to another user
  }
}

/** Also matches the shell that runs git several times. */
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
