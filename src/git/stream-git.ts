import { GitError, GitStoppedError } from './errors.js'
import type { ProgramStreams } from './launch-program.js'
import { commandOf, type GitOptions, spawnGit } from './run-git.js'

export interface StreamOptions extends Pick<GitOptions, 'settings' | 'environment'> {
  /** The standard input of git. */
  input?: string
  /** Stops git when it aborts. The output then ends with a `GitStoppedError`. */
  signal?: AbortSignal
}

/**
 * The output of git as a stream. Git waits while it is not read, and is stopped when the reader ends. After the
 * last chunk, throws `GitError` unless git exited with 0.
 */
export async function* gitBytes(args: string[], options: StreamOptions = {}): AsyncGenerator<Buffer> {
  const { input, signal, ...rest } = options
  if (signal?.aborted) throw new GitStoppedError(signal.reason)
  const git = await spawnGit(args, rest)
  signal?.addEventListener('abort', git.stop, { once: true })
  if (signal?.aborted) git.stop()
  const ended = endOf(git, args)
  const over = ended.catch(() => undefined) // the exit status does not matter if git is not read to its end
  git.stdin.on('error', () => undefined) // git ended without reading all of it; its exit code explains more
  git.stdin.end(input)
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
  let begun: Buffer[] = []
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(separator); end >= 0; end = chunk.indexOf(separator, start)) {
      yield Buffer.concat([...begun, chunk.subarray(start, end)]).toString('utf8')
      begun = []
      start = end + 1
    }
    if (start < chunk.length) begun.push(chunk.subarray(start))
  }
  if (begun.length > 0) yield Buffer.concat(begun).toString('utf8')
}

async function endOf(git: ProgramStreams, args: string[]): Promise<void> {
  let stderr = ''
  git.stderr.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-2000)))
  const { exitCode, failure } = await git.ended
  if (exitCode === 0) return
  const cause = failure === undefined ? undefined : { cause: new Error(failure) }
  throw new GitError(commandOf(args), exitCode, stderr, cause)
}
