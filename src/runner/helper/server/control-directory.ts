import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, mkdtemp, open, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { isExistingFile, isMissingFile } from '../../../lib/files.js'
import { untilAborted } from '../../../lib/until-aborted.js'
import type { HelperScript } from '../../executor/environment-helper.js'
import { ExecutorError } from '../../executor/executor.js'
import type { OutputCursor } from '../../executor/output/output-cursor.js'
import { OutputFollower } from '../../executor/output/output-follower.js'
import { OUTPUT_SCRIPT, outputScript } from '../../executor/output/output-script.js'
import type { ScriptEnd } from '../../executor/script-end.js'
import { BELOW_SUPERVISOR, CONTROL, SCRIPT } from '../../executor/supervisor/supervisor.js'
import { quote } from '../../job/stages/script-text.js'
import { removeTree } from '../../workspace/remove-tree.js'
import type { FileOwner } from '../../workspace/workspace.js'
import { exportCommands } from '../job-environment.js'
import { untilThere } from './until-there.js'
import { untilUnread, writeCommand } from './write-command.js'

/** Milliseconds from the end of the output to the end of the processes that a script left. */
const END_LIMIT = 60_000
const MAX_NAMES_BYTES = 200

export interface FollowOptions {
  start: OutputCursor | undefined
  write: (bytes: Buffer, cursor: OutputCursor) => Promise<void>
  /** Resolves when all that was written is stored for good. */
  delivered: () => Promise<void>
  signal: AbortSignal
}

/**
 * The side of the helper in the directory that it shares with the supervisor. A job can put anything there, so no link is
 * followed, nothing but regular files is read, and what the job changes harms only itself.
 */
export class ControlDirectory {
  constructor(private readonly path: string) {}

  /** The user of the container of the job, when scripts can start there. */
  async ready(signal: AbortSignal): Promise<FileOwner> {
    const { uid, gid } = await untilThere(join(this.path, CONTROL.started), signal)
    const missing = await readBeginning(join(this.path, CONTROL.missing))
    if (missing === '') return { uid, gid }
    const names = missing.trim().replaceAll(' ', ', ')
    const message = `The image of the job lacks programs that running scripts in a pod needs: ${names}`
    throw new ExecutorError(message, 'runner_unsupported')
  }

  /** Starts a script. One that has begun before does not start again. */
  async start(script: HelperScript, variables: Record<string, string>, signal: AbortSignal): Promise<void> {
    const directory = this.directoryOf(script)
    const owner = await this.ready(signal)
    await this.writeEnvironment(variables)
    await this.prepare(script, owner)
    await writeCommand(join(this.path, CONTROL.commands), `run ${script.number}`, signal)
    await untilThere(join(directory, SCRIPT.begun), signal)
  }

  /** Follows the output until the script has ended. Undefined if it does not say how. */
  async follow(script: HelperScript, options: FollowOptions): Promise<ScriptEnd | undefined> {
    const directory = this.directoryOf(script)
    const { start, write, delivered, signal } = options
    const follower = new OutputFollower(script.output, write, { start, delivered })
    const ending = new AbortController()
    const stop = () => {
      ending.abort(signal.reason)
      follower.finish(ending.signal)
    }
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    const over = untilThere(join(directory, SCRIPT.over), ending.signal)
    // What follows reads the rest of the files, in which the end may be missing.
    over.then(() => follower.finish(ending.signal)).catch(() => {})
    void untilUnread(join(this.path, CONTROL.commands), ending.signal).then(() =>
      follower.finish(ending.signal),
    )
    try {
      const end = await follower.follow()
      signal.throwIfAborted()
      if (end) await this.untilOver(over)
      return end
    } finally {
      signal.removeEventListener('abort', stop)
      ending.abort()
    }
  }

  async signal(script: HelperScript, name: 'TERM' | 'KILL', signal: AbortSignal): Promise<void> {
    await writeCommand(join(this.path, CONTROL.signals), `${name} ${script.number}`, signal)
  }

  private async untilOver(over: Promise<unknown>): Promise<void> {
    const limit = AbortSignal.timeout(END_LIMIT)
    try {
      await untilAborted(over, limit)
    } catch (error) {
      if (!limit.aborted) throw error
      const message = 'The script of the job has ended, and processes that it started cannot be ended'
      throw new ExecutorError(message, 'script_failure')
    }
  }

  private directoryOf({ number, output }: HelperScript): string {
    const directory = join(this.path, String(number))
    if (output.directory === directory) return directory
    throw new Error(`The output of script ${number} must be in ${directory}, not in ${output.directory}`)
  }

  private async writeEnvironment(variables: Record<string, string>): Promise<void> {
    const content = exportCommands(variables)
    await this.publish(CONTROL.environment, async (directory) => {
      await writeFile(`${directory}/file`, content, { flag: 'wx', mode: 0o644 })
      return 'file'
    })
  }

  /** Does nothing if the directory exists, because the script may be running. */
  private async prepare(script: HelperScript, owner: FileOwner): Promise<void> {
    const path = this.directoryOf(script)
    if (await isThere(path)) return
    await this.publish(String(script.number), async (directory) => {
      await mkdir(`${directory}/script`)
      await using prepared = await openDirectory(`${directory}/script`)
      const inside = `/proc/self/fd/${prepared.fd}`
      await writeFile(`${inside}/${OUTPUT_SCRIPT}`, outputScript(script.output, BELOW_SUPERVISOR), {
        flag: 'wx',
      })
      await writeFile(`${inside}/${SCRIPT.start}`, startCommands(path, script, this.path), { flag: 'wx' })
      const isRoot = process.getuid?.() === 0
      await prepared.chmod(isRoot ? 0o755 : 0o777)
      if (isRoot) await prepared.chown(owner.uid, owner.gid)
      return 'script'
    })
  }

  /**
   * Gives a new file or directory its name when it is complete. `create` makes it in a directory that is held open, so that
   * a link that a job puts in its place is not followed.
   */
  private async publish(name: string, create: (directory: string) => Promise<string>): Promise<void> {
    const temporary = await mkdtemp(join(this.path, 'new-'))
    try {
      await using opened = await openDirectory(temporary)
      const directory = `/proc/self/fd/${opened.fd}`
      const source = `${directory}/${await create(directory)}`
      await rename(source, join(this.path, name)).catch(async (error: unknown) => {
        if (!isOccupied(error)) throw error
        await removeTree(join(this.path, name))
        await rename(source, join(this.path, name))
      })
    } finally {
      await removeTree(temporary)
    }
  }
}

async function openDirectory(path: string): Promise<FileHandle> {
  return await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    if (isMissingFile(error)) return false
    throw error
  }
}

/** The shell that was found does not depend on the variables of the job. */
function startCommands(directory: string, { path }: HelperScript, control: string): string {
  return `set -- "$switchyard_shell" "$switchyard_watcher"
. ${quote(join(control, CONTROL.environment))}
exec "$1" ${quote(join(directory, OUTPUT_SCRIPT))} ${quote(path)} "$2"
`
}

/** Empty if there is no file. */
async function readBeginning(path: string): Promise<string> {
  if (!(await isThere(path))) return ''
  await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  if (!(await file.stat()).isFile()) throw new ExecutorError(`The job replaced ${path}`, 'script_failure')
  const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_NAMES_BYTES), 0, MAX_NAMES_BYTES, 0)
  return buffer.toString('utf8', 0, bytesRead).replace(/[^\w ]/g, '')
}

function isOccupied(error: unknown): boolean {
  if (isExistingFile(error)) return true
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return ['ENOTEMPTY', 'ENOTDIR', 'EISDIR'].includes(code)
}
