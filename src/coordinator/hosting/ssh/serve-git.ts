import { once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'

import type { ServerChannel } from 'ssh2'

import { GIT_ERRORS } from '../../../error-catalogue/git-errors.js'
import type { GitSettings } from '../../../git/environment.js'
import type { GitCaller } from '../../http/authentication/git-credentials.js'
import { existingRepository } from '../repositories/http/existing-repository.js'
import { type Admitted, asPusher, type GitAccess } from '../repositories/http/git-access.js'
import { gitError, GitRefusedError } from '../repositories/http/git-refused-error.js'
import { advertise, serve } from '../repositories/http/git-service.js'
import { acquireGitSlot } from '../repositories/http/git-slot.js'
import { type OpenedRepository, openRepository } from '../repositories/http/open-repository.js'
import {
  type FindOtherRepository,
  OTHER_SETTINGS,
  type OtherRepository,
} from '../repositories/http/other-repository.js'
import { receivePush } from '../repositories/http/receive-push.js'
import type { PushDeps } from '../repositories/push/handle-push.js'
import type { SshCommand } from './ssh-command.js'

export type SshGitDeps = PushDeps & {
  access: GitAccess
  /** Called once per fetch of objects. */
  onFetched?: (projectId: number) => void
  /** Lines to show to a user who pushes to this project. */
  greet?: (projectId: number) => string[]
  /** Finds repositories beside those of projects. */
  otherRepository?: FindOtherRepository
  /** Whether git may use SSH. */
  isAllowed?: () => boolean
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
  /** Called when git runs for a fetch, and therefore keeps others waiting. */
  onFetching: () => void
}

/** Runs a fetch or a push over a channel and sends its exit status. A refusal is shown to the user. */
export async function serveGit(deps: SshGitDeps, request: SshGitRequest): Promise<number> {
  try {
    if (deps.isAllowed && !deps.isAllowed()) throw gitError('git_over_ssh_disabled')
    const caller = () => Promise.resolve(request.caller)
    const opened = await openRepository(deps, request.service, caller, request.fullPath)
    const gitDir = await existingRepository(opened.repositories, opened.id)
    sayMoved(request, opened.movedTo)
    if (request.service === 'git-upload-pack') {
      return await fetchOver(deps, request, { opened, gitDir })
    }
    return opened.kind === 'project'
      ? await pushOver(deps, request, opened.admitted, gitDir)
      : await pushToOther(deps, request, { opened, gitDir })
  } catch (error) {
    if (!(error instanceof GitRefusedError)) throw error
    // Every client of SSH has presented credentials: a visitor without access learns no more than over HTTP.
    request.channel.stderr.write(`${error.status === 401 ? NOT_FOUND : error.message}\n`)
    return 1
  }
}

function sayMoved({ channel }: SshGitRequest, movedTo: string | undefined): void {
  if (movedTo === undefined) return
  channel.stderr.write(`The project has moved to ${movedTo}: please use its new address.\n`)
}

const NOT_FOUND = GIT_ERRORS.git_project_not_found.message

async function fetchOver(
  deps: SshGitDeps,
  request: SshGitRequest,
  { opened, gitDir }: { opened: OpenedRepository; gitDir: string },
): Promise<number> {
  const { kind, repositories, id } = opened
  const releaseSlot = await acquireGitSlot(repositories, id, 'reading', request.signal)
  request.onFetching()
  const input = noting(
    passing(inputOf(request.channel), request.onBytes),
    () => kind === 'project' && deps.onFetched?.(id),
  )
  return converse(deps, request, { input, gitDir, releaseSlot })
}

/** A repository beside those of projects; a push to it is one conversation with git, too. */
async function pushToOther(
  deps: SshGitDeps,
  request: SshGitRequest,
  { opened, gitDir }: { opened: OtherRepository; gitDir: string },
): Promise<number> {
  const { repositories, id, onPushed } = opened
  const releaseSlot = await acquireGitSlot(repositories, id, 'writing', request.signal)
  const input = passing(inputOf(request.channel), request.onBytes)
  try {
    return await converse(deps, request, { input, gitDir, releaseSlot, settings: OTHER_SETTINGS })
  } finally {
    await onPushed()
  }
}

interface Conversation {
  input: AsyncIterable<Buffer>
  gitDir: string
  /** Called when git has ended. */
  releaseSlot: () => void
  settings?: GitSettings
}

/** Connects the client with git until both are done; returns the exit status of git. */
async function converse(
  deps: SshGitDeps,
  { service, channel, protocol, signal, onBytes }: SshGitRequest,
  { input, gitDir, releaseSlot, settings = {} }: Conversation,
): Promise<number> {
  const options = { gitDir, protocol, signal, settings, isConversation: true }
  const running = await serve(service, input, options).catch((error: unknown) => {
    releaseSlot()
    throw error
  })
  void running.ended.then(releaseSlot)
  await send(channel, passing(running.output, onBytes), signal)
  const end = await running.ended
  if (end.exitCode !== 0) deps.logger.info({ ...end }, `${service} ended early`)
  return end.exitCode ?? 1
}

/** What the client sends. A stream of its own, because iterating over a channel closes it at the end of its input. */
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
async function* noting(body: AsyncIterable<Buffer>, onFetched: () => unknown): AsyncGenerator<Buffer> {
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
  const response = await receivePush(deps, { pusher, body, protocol, signal, greet, isDuplex: true })
  const pieces = response instanceof Readable ? response : Readable.from([response])
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
