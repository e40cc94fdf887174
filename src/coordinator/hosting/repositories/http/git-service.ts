import type { Duplex, Readable, Writable } from 'node:stream'

import type { GitSettings } from '../../../../git/environment.js'
import type { ProgramStreams, StreamedEnd } from '../../../../git/launch-program.js'
import { spawnGit } from '../../../../git/run-git.js'
import { serviceSettings } from '../service-settings.js'
import type { GitService } from './git-path.js'

export interface GitServiceOptions {
  gitDir: string
  /** Value of the `Git-Protocol` header. */
  protocol: string | undefined
  settings?: GitSettings
  environment?: Record<string, string>
  /** Whether the client talks with git until git ends, as over SSH, in place of one request and one response. */
  isConversation?: boolean
  /** Whether its hooks talk to the coordinator. */
  hasChannel?: boolean
  /** Aborts when the response is no longer needed; git is then stopped. */
  signal: AbortSignal
}

interface GitServiceEnd extends StreamedEnd {
  /** The end of the error output of git. */
  stderr: string
}

export interface RunningService {
  output: Readable
  /** To the hooks; undefined unless it was asked for. */
  channel: Duplex | undefined
  /** Always resolves. */
  ended: Promise<GitServiceEnd>
}

/** Starts the advertisement of refs and capabilities. */
export async function advertise(service: GitService, options: GitServiceOptions): Promise<RunningService> {
  const running = await start([service.slice('git-'.length), '--stateless-rpc', '--advertise-refs'], options)
  running.git.stdin.end()
  return running
}

/**
 * Serves one request. `body` is read as fast as git accepts it. If it breaks off, git is stopped. If git
 * ends first, the rest is read and discarded, so that the client reads the response.
 */
export async function serve(
  service: GitService,
  body: AsyncIterable<Buffer>,
  options: GitServiceOptions,
): Promise<RunningService> {
  const flags = options.isConversation ? [] : ['--stateless-rpc']
  const running = await start([service.slice('git-'.length), ...flags], options)
  feed(body, running.git.stdin).catch(() => end(running.git))
  return running
}

async function start(args: string[], options: GitServiceOptions) {
  const git = await spawnGit([...args, '--', options.gitDir], {
    settings: { ...serviceSettings, ...options.settings },
    environment: { ...protocolEnvironment(options.protocol), ...options.environment },
    hasChannel: options.hasChannel ?? false,
  })
  const onGone = (): void => end(git)
  options.signal.addEventListener('abort', onGone, { once: true })
  if (options.signal.aborted) onGone()
  const ended = endOf(git).finally(() => options.signal.removeEventListener('abort', onGone))
  return { git, output: git.stdout, channel: git.channel, ended }
}

/** Stops git; its child processes end too, because git signals them and their pipes close. */
function end(git: ProgramStreams): void {
  git.stdout.destroy()
  git.stop()
}

async function endOf(git: ProgramStreams): Promise<GitServiceEnd> {
  let stderr = ''
  git.stderr.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-2000)))
  git.stdin.on('error', () => undefined) // git has ended before reading all of it; its exit code tells more
  const end = await git.ended
  return { ...end, stderr: stderr.trim() }
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
