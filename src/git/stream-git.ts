import { Readable } from 'node:stream'

import { GitError, GitStoppedError } from './errors.js'
import type { ProgramStreams } from './launch-program.js'
import { commandOf, spawnGit, type SpawnOptions } from './run-git.js'

export interface StreamOptions extends Omit<SpawnOptions, 'hasChannel'> {
  /** The standard input of git. It must not throw. */
  input?: string | AsyncIterable<string>
  /** Stops git when it aborts. The output then ends with a `GitStoppedError`. */
  signal?: AbortSignal
  /** Is called with the error output, or the end of a long one, when git has exited with 0. */
  onWarnings?: (stderr: string) => void
}

/** Characters of the error output that are kept, and those that an error shows. */
const MAX_STDERR = 256 * 1024
const MAX_SHOWN = 2000

/**
 * The output of git as a stream. Git waits while it is not read, and is stopped when the reader ends. After the
 * last chunk, throws `GitError` unless git exited with 0.
 */
export async function* gitBytes(args: string[], options: StreamOptions = {}): AsyncGenerator<Buffer> {
  const { input, signal, onWarnings, ...rest } = options
  if (signal?.aborted) throw new GitStoppedError(signal.reason)
  const git = await spawnGit(args, rest)
  signal?.addEventListener('abort', git.stop, { once: true })
  if (signal?.aborted) git.stop()
  const ended = waitForEnd(git, args, onWarnings)
  const over = ended.catch(() => undefined) // the exit status does not matter if git is not read to its end
  git.stdin.on('error', () => undefined) // git ended without reading all of it; its exit code explains more
  if (input === undefined || typeof input === 'string') git.stdin.end(input)
  else Readable.from(input).pipe(git.stdin)
  try {
    yield* git.stdout as AsyncIterable<Buffer>
    await ended
  } catch (error) {
    throw signal?.aborted ? new GitStoppedError(signal.reason) : error
  } finally {
    signal?.removeEventListener('abort', git.stop)
    git.stop()
    await over // the process is no longer counted
  }
}

/** Splits the output of `gitBytes` into UTF-8 records at `separator`, which is removed. */
export async function* gitRecords(
  args: string[],
  { separator = '\0', ...options }: StreamOptions & { separator?: '\0' | '\n' } = {},
): AsyncGenerator<string> {
  yield* recordsIn(gitBytes(args, options), separator)
}

/** Splits bytes into UTF-8 records at `separator`, which is removed. */
export async function* recordsIn(
  chunks: AsyncIterable<Buffer>,
  separator: '\0' | '\n',
): AsyncGenerator<string> {
  for await (const records of recordBatchesIn(chunks, separator)) yield* records
}

/** As `gitRecords`, but gives many records at a time, which for short records takes a tenth of the time. */
export function gitRecordBatches(
  args: string[],
  { separator = '\0', ...options }: StreamOptions & { separator?: '\0' | '\n' } = {},
): AsyncGenerator<string[]> {
  return recordBatchesIn(gitBytes(args, options), separator)
}

async function* recordBatchesIn(
  chunks: AsyncIterable<Buffer>,
  separator: '\0' | '\n',
): AsyncGenerator<string[]> {
  let begun: Buffer[] = []
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(separator)
    if (end >= 0) {
      yield Buffer.concat([...begun, chunk.subarray(0, end)])
        .toString('utf8')
        .split(separator)
      begun = []
    }
    if (end + 1 < chunk.length) begun.push(chunk.subarray(end + 1))
  }
  if (begun.length > 0) yield [Buffer.concat(begun).toString('utf8')]
}

async function waitForEnd(
  git: ProgramStreams,
  args: string[],
  onWarnings: StreamOptions['onWarnings'],
): Promise<void> {
  let stderr = ''
  git.stderr.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-MAX_STDERR)))
  const { exitCode, failure } = await git.ended
  if (exitCode === 0) {
    onWarnings?.(stderr)
    return
  }
  const cause = failure === undefined ? undefined : { cause: new Error(failure) }
  throw new GitError(commandOf(args), exitCode, stderr.slice(-MAX_SHOWN), cause)
}
