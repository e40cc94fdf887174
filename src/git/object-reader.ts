import { ByteReader } from './byte-reader.js'
import { GitError, ObjectTooLargeError, unreadableObject } from './errors.js'
import type { ProgramStreams } from './launch-program.js'
import { spawnGit } from './run-git.js'

export interface GitObject {
  id: string
  type: 'commit' | 'tree' | 'blob' | 'tag'
  content: Buffer
}

interface Process {
  git: ProgramStreams
  output: ByteReader
  stderr: string
  hasEnded: boolean
}

/**
 * Reads objects of one repository through one `git cat-file --batch` process that stays open between reads. Reads
 * are served in order. The process starts with the first read, and again after it ended. After `close`, each read
 * starts a process of its own, because a caller may still hold the reader.
 */
export class ObjectReader {
  private process: Process | undefined
  private last: Promise<unknown> = Promise.resolve()
  private isClosed = false

  /** @param onRead called with the milliseconds that git took for each read, the wait for earlier reads not included */
  constructor(
    private readonly gitDir: string,
    private readonly onRead?: (milliseconds: number) => void,
  ) {}

  /**
   * The object that `name` refers to (an ID, `refs/heads/x^{commit}`, `<id>:<path>`). Undefined if there is none.
   * Throws `ObjectTooLargeError` above `maxBytes`, and `GitError` if git failed.
   */
  read(name: string, maxBytes: number): Promise<GitObject | undefined> {
    const reading = this.last.then(() => this.readNext(name, maxBytes))
    // the caller of this read receives the error; the next read starts a new process
    this.last = reading.catch(() => undefined)
    return reading
  }

  /** As `read`, for an object that another one names: if there is none, this throws `GitError`, because it is damaged. */
  async readNamed(id: string, maxBytes: number): Promise<GitObject> {
    const object = await this.read(id, maxBytes)
    if (!object) throw unreadableObject(id)
    return object
  }

  /** Ends the process after the pending reads are served. */
  async close(): Promise<void> {
    this.isClosed = true
    const closing = this.last.then(() => this.endProcess())
    this.last = closing
    await closing
  }

  private async readNext(name: string, maxBytes: number): Promise<GitObject | undefined> {
    // One line is one request. A name with a line end would be two requests, and no valid ref or path contains one.
    if (/[\n\0]/.test(name)) return undefined
    const begun = performance.now()
    const process = (this.process ??= await startProcess(this.gitDir))
    try {
      process.git.stdin.write(`${name}\n`)
      return await readResponse(process, name, maxBytes)
    } catch (error) {
      if (!(error instanceof ObjectTooLargeError)) await this.endProcess()
      throw error
    } finally {
      this.onRead?.(performance.now() - begun)
      if (this.isClosed) await this.endProcess()
    }
  }

  private async endProcess(): Promise<void> {
    const process = this.process
    this.process = undefined
    if (!process || process.hasEnded) return
    process.git.stdin.end()
    process.git.stdout.resume()
    await process.git.ended
  }
}

async function startProcess(gitDir: string): Promise<Process> {
  const git = await spawnGit(['--git-dir', gitDir, 'cat-file', '--batch'])
  const process: Process = { git, output: new ByteReader(git.stdout), stderr: '', hasEnded: false }
  git.stderr.on(
    'data',
    (chunk: Buffer) => (process.stderr = (process.stderr + chunk.toString()).slice(-1000)),
  )
  // The pending read notices both as the end of the output.
  void git.ended.then(() => (process.hasEnded = true))
  git.stdin.on('error', () => undefined)
  return process
}

async function readResponse(
  process: Process,
  name: string,
  maxBytes: number,
): Promise<GitObject | undefined> {
  const header = await process.output.line()
  if (header === undefined) throw await broken(process)
  const fields = /^([0-9a-f]{40,64}) (commit|tree|blob|tag) (\d+)$/.exec(header)
  if (!fields) return undefined // "<name> missing" or "<name> ambiguous"
  const [, id = '', type = '', size = ''] = fields
  const content = await readContent(process, Number(size), maxBytes)
  if (!content) throw new ObjectTooLargeError(name, Number(size), maxBytes)
  return { id, type: type as GitObject['type'], content }
}

/** Undefined means that the object is too large. It is skipped, so that the next response is found. */
async function readContent(process: Process, size: number, maxBytes: number): Promise<Buffer | undefined> {
  if (size > maxBytes) {
    if (!(await process.output.skip(size + 1))) throw await broken(process)
    return undefined
  }
  const content = await process.output.take(size + 1)
  if (!content) throw await broken(process)
  return content.subarray(0, size)
}

/** Called when the process has closed, so that all of its error output has arrived. */
async function broken(process: Process): Promise<GitError> {
  const { exitCode, failure = '' } = await process.git.ended
  return new GitError('cat-file', exitCode, process.stderr + failure)
}
