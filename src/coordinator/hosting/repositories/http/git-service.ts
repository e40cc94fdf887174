import type { ChildProcess } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'

import type { GitSettings } from '../../../../git/environment.js'
import { spawnGit } from '../../../../git/run-git.js'
import { serviceSettings } from '../service-settings.js'
import type { GitService } from './git-path.js'

export interface GitServiceOptions {
  gitDir: string
  /** Value of the `Git-Protocol` header. */
  protocol: string | undefined
  settings?: GitSettings
  environment?: Record<string, string>
  /** Aborts when the answer is no longer needed; git is then stopped. */
  signal: AbortSignal
}

export interface GitServiceEnd {
  exitCode: number | null
  signal: NodeJS.Signals | null
  /** The end of the error output of git. */
  stderr: string
}

export interface RunningService {
  output: Readable
  ended: Promise<GitServiceEnd>
}

/** Starts the advertisement of refs and capabilities. */
export function advertise(service: GitService, options: GitServiceOptions): RunningService {
  const running = start([service.slice('git-'.length), '--stateless-rpc', '--advertise-refs'], options)
  running.child.stdin.end()
  return running
}

/**
 * Answers one request. `body` is read as fast as git accepts it. If it breaks off, git is stopped. If git
 * ends first, the rest is read and discarded, so that the client reads the answer.
 */
export function serve(
  service: GitService,
  body: AsyncIterable<Buffer>,
  options: GitServiceOptions,
): RunningService {
  const running = start([service.slice('git-'.length), '--stateless-rpc'], options)
  feed(body, running.child.stdin).catch(() => end(running.child))
  return running
}

function start(args: string[], options: GitServiceOptions) {
  const child = spawnGit([...args, '--', options.gitDir], {
    settings: { ...serviceSettings, ...options.settings },
    environment: { ...protocolEnvironment(options.protocol), ...options.environment },
  })
  const onGone = (): void => end(child)
  options.signal.addEventListener('abort', onGone, { once: true })
  if (options.signal.aborted) onGone()
  const ended = endOf(child).finally(() => options.signal.removeEventListener('abort', onGone))
  return { child, output: child.stdout, ended }
}

/** Stops git; its child processes end too, because git signals them and their pipes close. */
function end(child: ChildProcess): void {
  child.stdout?.destroy()
  child.kill('SIGTERM')
}

function endOf(child: ReturnType<typeof spawnGit>): Promise<GitServiceEnd> {
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-2000)))
  child.stdin.on('error', () => undefined) // git has ended before reading all of it; its exit code tells more
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (exitCode, signal) => resolve({ exitCode, signal, stderr: stderr.trim() }))
  })
}

async function feed(body: AsyncIterable<Buffer>, input: Writable): Promise<void> {
  for await (const chunk of body) {
    if (input.destroyed || input.errored) continue
    if (!input.write(chunk)) await writableAgain(input)
  }
  input.end()
}

/** Resolves when the stream accepts more data or is destroyed. */
function writableAgain(input: Writable): Promise<void> {
  if (input.destroyed || !input.writableNeedDrain) return Promise.resolve()
  return new Promise((resolve) => {
    const done = (): void => {
      input.off('drain', done).off('close', done)
      resolve()
    }
    input.on('drain', done).on('close', done)
  })
}

/** Passes the header on only if it has the form that git defines. */
function protocolEnvironment(protocol: string | undefined): Record<string, string> {
  return protocol !== undefined && /^[a-z0-9=:.-]{1,100}$/i.test(protocol) ? { GIT_PROTOCOL: protocol } : {}
}
