import { type ChildProcess, execFile } from 'node:child_process'
import { readFile, readlink } from 'node:fs/promises'
import { promisify } from 'node:util'

import { isRecord } from '../../../src/lib/is-record.js'
import { pause } from '../../../src/lib/pause.js'

const run = promisify(execFile)

/** The command in a terminal, which `script` of util-linux makes. */
export function terminalCommand(words: string[]): string[] {
  const quoted = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  // So that the first size is there before the command: `setTerminalSize` ends this wait, when it has set both numbers.
  const wait = "while stty size | grep -qE '^0|\\b0$'; do sleep 0.01; done"
  return ['script', '-qefc', `${wait}; exec ${quoted}`, '/dev/null']
}

/** `message`: of the channel `resize`. */
export async function setTerminalSize(command: ChildProcess, message: string): Promise<void> {
  const size: unknown = JSON.parse(message)
  if (!isRecord(size) || command.pid === undefined) return
  const terminal = await terminalOf(command)
  if (terminal === undefined) return
  await run('stty', ['-F', terminal, 'rows', String(size['Height']), 'cols', String(size['Width'])]).catch(
    () => {
      // The command has ended.
    },
  )
}

/** Undefined if the command has ended. */
async function terminalOf(command: ChildProcess): Promise<string | undefined> {
  while (command.exitCode === null && command.signalCode === null) {
    try {
      const children = await readFile(`/proc/${command.pid}/task/${command.pid}/children`, 'utf8')
      const [child] = children.trim().split(' ')
      const terminal = child && (await readlink(`/proc/${child}/fd/0`))
      if (terminal?.startsWith('/dev/pts/')) return terminal
    } catch {
      // It is just being started.
    }
    await pause(5)
  }
  return undefined
}
