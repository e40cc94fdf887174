import { execFileSync } from 'node:child_process'
import { chmod, open, readFile, rm, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

import { onFinished } from '../../support/lifetime.js'
import { tempDir } from '../../support/temp-dir.js'

export interface CountedGit {
  /** Maximum number of concurrent processes whose subcommand is (not) one of these. */
  most(subcommands: { of: readonly string[] } | { without: readonly string[] }): Promise<number>
  /** Subcommands of all processes, in the order in which they started. */
  started(): Promise<string[]>
}

/**
 * Puts a `git` before the machine's own that notes when each process starts and ends, and waits at the gate of `holdGit` if
 * there is one. Processes that stay open to read objects are not
 * counted.
 */
export async function countGit(): Promise<CountedGit> {
  const folder = await tempDir()
  const log = join(folder, 'log')
  const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim()
  await writeFile(join(folder, 'git'), wrapper(real, log))
  await chmod(join(folder, 'git'), 0o755)
  const { PATH } = process.env
  process.env['PATH'] = `${folder}${delimiter}${PATH}`
  onFinished(() => {
    process.env['PATH'] = PATH
  })
  return {
    started: async () => {
      const lines = (await readFile(log, 'utf8')).trimEnd().split('\n')
      return lines.flatMap((line) => (line.startsWith('+ ') ? [line.slice(2)] : []))
    },
    most: async (subcommands) => {
      const lines = (await readFile(log, 'utf8')).trimEnd().split('\n')
      return most(lines.map((line) => line.split(' ')).filter(([, name = '']) => isMeant(name, subcommands)))
    },
  }
}

export interface HeldGit {
  /** The first process of the subcommand has started, and waits. */
  reached: Promise<void>
  /** Lets the process continue; later ones do not wait. */
  goOn(): Promise<void>
}

/** Blocks the processes of one subcommand in one repository. Call `countGit` first. */
export function holdGit(gitDir: string, subcommand: string): HeldGit {
  const gate = join(gitDir, `gate-${subcommand}`)
  execFileSync('mkfifo', [gate])
  // Opening a pipe for writing blocks until a reader opens it.
  const opened = open(gate, 'w')
  return {
    reached: opened.then(() => undefined),
    goOn: async () => {
      const handle = await opened
      await rm(gate)
      await handle.write('\n')
      await handle.close()
    },
  }
}

function wrapper(real: string, log: string): string {
  return `#!/bin/sh
if [ "$1" != --git-dir ] || [ "$3 $4" = 'cat-file --batch' ]; then exec '${real}' "$@"; fi
echo "+ $3" >> '${log}'
if [ -p "$2/gate-$3" ]; then read -r line < "$2/gate-$3"; fi
'${real}' "$@"
code=$?
echo "- $3" >> '${log}'
exit $code
`
}

function isMeant(name: string, subcommands: Parameters<CountedGit['most']>[0]): boolean {
  return 'of' in subcommands ? subcommands.of.includes(name) : !subcommands.without.includes(name)
}

function most(lines: string[][]): number {
  let running = 0
  return Math.max(0, ...lines.map(([sign]) => (running += sign === '+' ? 1 : -1)))
}
