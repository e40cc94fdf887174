import { GitError, GitStoppedError } from './errors.js'
import { commandOf, type GitOptions, spawnGit } from './run-git.js'

export interface StreamOptions extends Pick<GitOptions, 'settings' | 'environment'> {
  /** What git reads. */
  input?: string
  /** Ends git when it aborts; the output then ends with a `GitStoppedError`. */
  signal?: AbortSignal
}

/**
 * What git prints, as it comes: git waits while nobody takes it, and is ended when its taker goes away. Throws `GitError`
 * behind the last piece unless git ended with exit code 0.
 */
export async function* gitBytes(args: string[], options: StreamOptions = {}): AsyncGenerator<Buffer> {
  const { input, signal, ...rest } = options
  if (signal?.aborted) throw new GitStoppedError(signal.reason)
  const child = spawnGit(args, rest)
  const stop = (): boolean => child.kill('SIGTERM')
  signal?.addEventListener('abort', stop, { once: true })
  const ended = endOf(child, args)
  const over = ended.catch(() => undefined) // of a git that is not read to its end nobody asks how it ended
  child.stdin.on('error', () => undefined) // git has ended without reading all of it; its exit code tells more
  child.stdin.end(input)
  try {
    yield* child.stdout as AsyncIterable<Buffer>
    await ended
  } catch (error) {
    throw signal?.aborted ? new GitStoppedError(signal.reason) : error
  } finally {
    signal?.removeEventListener('abort', stop)
    stop()
    await over // whoever counts processes has this one no more
  }
}

/** The output of `gitBytes` in pieces that each end with `separator`, which is left out; as UTF-8. */
export async function* gitRecords(
  args: string[],
  { separator = '\0', ...options }: StreamOptions & { separator?: '\0' | '\n' } = {},
): AsyncGenerator<string> {
  let begun: Buffer[] = []
  for await (const chunk of gitBytes(args, options)) {
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

function endOf(child: ReturnType<typeof spawnGit>, args: string[]): Promise<void> {
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-2000)))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (exitCode) => {
      if (exitCode === 0) resolve()
      else reject(new GitError(commandOf(args), exitCode ?? undefined, stderr))
    })
  })
}
