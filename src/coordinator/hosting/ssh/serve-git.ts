import { once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'

import type { ServerChannel } from 'ssh2'

import type { GitCaller } from '../../http/authentication/git-credentials.js'
import { existingRepository } from '../repositories/http/existing-repository.js'
import { admitCaller, type Admitted, asPusher, type GitAccess } from '../repositories/http/git-access.js'
import { GitRefusedError } from '../repositories/http/git-refused-error.js'
import { advertise, serve } from '../repositories/http/git-service.js'
import { acquireGitSlot } from '../repositories/http/git-slot.js'
import { receivePush } from '../repositories/http/receive-push.js'
import type { PushDeps } from '../repositories/push/handle-push.js'
import type { SshCommand } from './ssh-command.js'

export type SshGitDeps = PushDeps & {
  access: GitAccess
  /** Called once per fetch of objects. */
  onFetched?: (projectId: number) => void
  /** Lines to show to a user who pushes to this project. */
  greet?: (projectId: number) => string[]
}

export interface SshGitRequest extends SshCommand {
  caller: GitCaller
  channel: ServerChannel
  /** `GIT_PROTOCOL` of the client. */
  protocol: string | undefined
  /** Aborts when the client closes the channel. */
  signal: AbortSignal
  /** Called whenever bytes of git pass, in either direction. */
  onBytes: () => void
}

/** Runs a fetch or a push over a channel and answers its exit status. A refusal is shown to the user. */
export async function serveGit(deps: SshGitDeps, request: SshGitRequest): Promise<number> {
  try {
    const admitted = await admitCaller(deps.access, request.service, request.caller, request.fullPath)
    const gitDir = await existingRepository(deps.repositories, admitted.project.id)
    if (admitted.movedTo !== undefined) {
      request.channel.stderr.write(
        `The project has moved to ${admitted.movedTo}: please use its new address.\n`,
      )
    }
    return request.service === 'git-upload-pack'
      ? await fetchOver(deps, request, admitted, gitDir)
      : await pushOver(deps, request, admitted, gitDir)
  } catch (error) {
    if (!(error instanceof GitRefusedError)) throw error
    // Over SSH, everyone has shown credentials: a visitor without access learns no more than over HTTP.
    request.channel.stderr.write(`${error.status === 401 ? NOT_FOUND : error.message}\n`)
    return 1
  }
}

const NOT_FOUND =
  "The project you were looking for could not be found or you don't have permission to view it."

async function fetchOver(
  deps: SshGitDeps,
  { channel, protocol, signal, onBytes }: SshGitRequest,
  { project }: Admitted,
  gitDir: string,
): Promise<number> {
  const releaseSlot = await acquireGitSlot(deps.repositories, project.id, 'reading', signal)
  const input = noting(passing(inputOf(channel), onBytes), () => deps.onFetched?.(project.id))
  const options = { gitDir, protocol, signal, isConversation: true }
  const running = await serve('git-upload-pack', input, options).catch((error: unknown) => {
    releaseSlot()
    throw error
  })
  void running.ended.then(releaseSlot)
  await send(channel, passing(running.output, onBytes), signal)
  const end = await running.ended
  if (end.exitCode !== 0) deps.logger.info({ ...end }, 'git-upload-pack ended early')
  return end.exitCode ?? 1
}

/** What the client sends. A stream of its own, because whoever iterates over a channel closes it at the end of its input. */
function inputOf(channel: ServerChannel): PassThrough {
  const input = channel.pipe(new PassThrough())
  channel.once('close', () => {
    if (!input.writableEnded) input.destroy()
  })
  return input
}

/** Leaves the channel open. Throws if the client closes it. */
async function send(
  channel: ServerChannel,
  pieces: AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<void> {
  for await (const piece of pieces) {
    signal.throwIfAborted()
    if (!channel.write(piece)) await once(channel, 'drain', { signal })
  }
}

async function* passing(bytes: AsyncIterable<Buffer>, onBytes: () => void): AsyncGenerator<Buffer> {
  for await (const piece of bytes) {
    onBytes()
    yield piece
  }
}

/** Calls `onFetched` once, at the first request for objects: a client may also only list refs. */
async function* noting(body: AsyncIterable<Buffer>, onFetched: () => void): AsyncGenerator<Buffer> {
  let isNoted = false
  for await (const piece of body) {
    if (!isNoted && WANTS_OBJECTS.test(piece.toString('latin1', 0, 32))) {
      isNoted = true
      onFetched()
    }
    yield piece
  }
}

const WANTS_OBJECTS = /^[0-9a-f]{4}(?:command=fetch|want )/

/** Unlike over HTTP, the list of refs and the push are one conversation. Its bytes are the same. */
async function pushOver(
  deps: SshGitDeps,
  { channel, protocol, signal, onBytes }: SshGitRequest,
  admitted: Admitted,
  gitDir: string,
): Promise<number> {
  const pusher = asPusher(admitted)
  await advertiseOver(deps, channel, { projectId: pusher.project.id, gitDir, signal })
  const greet = () => deps.greet?.(pusher.project.id) ?? []
  const body = passing(inputOf(channel), onBytes)
  const answer = await receivePush(deps, { pusher, body, protocol, signal, greet, isDuplex: true })
  const pieces = answer instanceof Readable ? answer : Readable.from([answer])
  await send(channel, passing(pieces, onBytes), signal)
  return 0
}

async function advertiseOver(
  deps: SshGitDeps,
  channel: ServerChannel,
  { projectId, gitDir, signal }: { projectId: number; gitDir: string; signal: AbortSignal },
): Promise<void> {
  const releaseSlot = await acquireGitSlot(deps.repositories, projectId, 'writing', signal)
  try {
    const running = await advertise('git-receive-pack', { gitDir, protocol: undefined, signal })
    await send(channel, running.output, signal)
    await running.ended
  } finally {
    releaseSlot()
  }
}
