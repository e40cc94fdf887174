import type { IncomingMessage } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { FLUSH, pktLine } from '../../../../git/pkt-line.js'
import { type BodyRate, LEAST_STREAM_RATE, limitBodyRate } from '../../../http/body-limits/body-rate.js'
import { clientGone } from '../../../http/client-gone.js'
import { ERROR_CODE_HEADER } from '../../../http/error-handler.js'
import type { PushDeps } from '../push/handle-push.js'
import { Capabilities } from './capabilities.js'
import { existingRepository } from './existing-repository.js'
import { type Admitted, asPusher, authenticate, type GitAccess, type ShownCredentials } from './git-access.js'
import { type GitService, type GitTarget, parseGitTarget, redirectAddress } from './git-path.js'
import { gitError, GitRefusedError } from './git-refused-error.js'
import { advertise, type RunningService, serve } from './git-service.js'
import { acquireGitSlot } from './git-slot.js'
import { type OpenedRepository, openRepository } from './open-repository.js'
import { type FindOtherRepository, OTHER_SETTINGS, type OtherRepository } from './other-repository.js'
import { ProjectRedirectError } from './project-redirect-error.js'
import { receivePush } from './receive-push.js'

export type LargeFilesTarget = Extract<GitTarget, { kind: 'large-files' }>

export type GitHttpDeps = PushDeps & {
  access: GitAccess
  /** Called once per request that fetches objects. */
  onFetched?: (projectId: number) => void
  /** Lines to show to a user who pushes to this project. */
  greet?: (projectId: number) => string[]
  /** Minimum transfer rate of a request body; overrides the default in tests. */
  bodyRate?: BodyRate
  /** Serves requests of Git LFS clients. */
  largeFiles: (target: LargeFilesTarget, request: FastifyRequest, reply: FastifyReply) => Promise<void>
  /** Finds repositories beside those of projects. */
  otherRepository?: FindOtherRepository
  /** Serves other requests at the root; resolves to whether it has served. */
  servePage?: (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>
}

/**
 * Clone, fetch and push at `/<full path>.git` (API, B). Bodies are streamed in both directions. Other
 * requests at the root go to the not-found handler of the application. The plugin needs an encapsulated
 * Fastify scope.
 */
export function gitRoutes(deps: GitHttpDeps): (app: FastifyInstance) => void {
  const capabilities = new Capabilities()
  return (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, _body, parsed) => {
      parsed(null)
    })
    app.setErrorHandler(sendRefusal)
    limitBodyRate(app, deps.bodyRate ?? LEAST_STREAM_RATE, 'cut')
    app.route({
      method: ['HEAD', 'GET', 'POST', 'PUT'],
      url: '/*',
      handler: (request, reply) => respond({ ...deps, capabilities }, request, reply),
    })
  }
}

type ServiceDeps = GitHttpDeps & { capabilities: Capabilities }

async function respond(deps: ServiceDeps, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const target = parseGitTarget(request.method, request.raw.url ?? '/')
  if (!target) {
    if (!(await deps.servePage?.(request, reply))) reply.callNotFound()
    return
  }
  switch (target.kind) {
    case 'redirect':
      await reply.redirect(target.location, 301)
      return
    case 'large-files':
      return deps.largeFiles(target, request, reply)
    case 'refs':
      return sendRefs(deps, target, request, reply)
    case 'service':
      return serveService(deps, target, request, reply)
  }
}

async function sendRefs(
  deps: ServiceDeps,
  { service, fullPath }: Extract<GitTarget, { kind: 'refs' }>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (!service || request.method === 'HEAD') {
    throw gitError('git_client_too_old')
  }
  const opened = await openFor(deps, service, request, fullPath)
  const gitDir = await existingRepository(opened.repositories, opened.id)
  const wanted = { service, gitDir, protocol: protocolOf(request) }
  await send(
    reply,
    `application/x-${service}-advertisement`,
    await advertisement(deps, opened, wanted, reply),
  )
}

/** Throws `ProjectRedirectError` for a former path, and `GitRefusedError` unless the caller may use the service. */
async function openFor(
  deps: GitHttpDeps,
  service: GitService,
  request: FastifyRequest,
  fullPath: string,
): Promise<OpenedRepository> {
  const authenticated = () => authenticate(deps.access, shownBy(request))
  const opened = await openRepository(deps, service, authenticated, fullPath)
  if (opened.movedTo !== undefined) throw new ProjectRedirectError(opened.movedTo)
  return opened
}

async function advertisement(
  deps: ServiceDeps,
  { repositories, id }: OpenedRepository,
  { service, gitDir, protocol }: { service: GitService; gitDir: string; protocol: string | undefined },
  reply: FastifyReply,
): Promise<Buffer | Readable> {
  const { capabilities } = deps
  const isCapabilities = service === 'git-upload-pack' && Capabilities.isAllOf(protocol)
  const known = isCapabilities ? capabilities.of(gitDir) : undefined
  if (known) return known
  const signal = clientGone(reply)
  const pool = service === 'git-upload-pack' ? 'reading' : 'writing'
  const releaseSlot = await acquireGitSlot(repositories, id, pool, signal)
  const running = await advertise(service, { gitDir, protocol, signal })
  void running.ended.then(releaseSlot)
  logEnd(deps, service, running)
  if (isCapabilities) return Readable.from(capabilities.learn(gitDir, running))
  // Version 2 starts at once. Earlier versions, and pushes (which have no version 2), first name the service.
  const isVersion2 = service === 'git-upload-pack' && /(^|:)version=2(:|$)/.test(protocol ?? '')
  const head = isVersion2 ? [] : [pktLine(`# service=${service}\n`), FLUSH]
  return Readable.from(both(head, running.output))
}

async function serveService(
  deps: GitHttpDeps,
  { service, fullPath }: Extract<GitTarget, { kind: 'service' }>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const opened = await openFor(deps, service, request, fullPath)
  const gitDir = await existingRepository(opened.repositories, opened.id)
  const body = await responseOf(deps, service, { ...opened, gitDir }, request, reply)
  await send(reply, `application/x-${service}-result`, body)
}

type Served = OpenedRepository & { gitDir: string }

function responseOf(
  deps: GitHttpDeps,
  service: GitService,
  served: Served,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Buffer | Readable> {
  if (service === 'git-upload-pack') return fetchResponse(deps, served, request, reply)
  return served.kind === 'project'
    ? pushToProject(deps, served.admitted, request, reply)
    : pushToOther(deps, served, request, reply)
}

async function fetchResponse(
  deps: GitHttpDeps,
  { kind, repositories, id, gitDir }: Served,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Readable> {
  const options = { gitDir, protocol: protocolOf(request), signal: clientGone(reply) }
  const releaseSlot = await acquireGitSlot(repositories, id, 'reading', options.signal)
  const body = noting(unpacked(request.raw), () => kind === 'project' && deps.onFetched?.(id))
  const running = await serve('git-upload-pack', body, options)
  void running.ended.then(releaseSlot)
  logEnd(deps, 'git-upload-pack', running)
  return running.output
}

/**
 * Calls `onFetched` unless the request only lists refs, which is the first request in version 2 of the
 * protocol.
 */
async function* noting(body: AsyncIterable<Buffer>, onFetched: () => unknown): AsyncGenerator<Buffer> {
  let isFirst = true
  for await (const piece of body) {
    if (isFirst && !piece.subarray(0, LS_REFS_WITHIN).includes('command=ls-refs')) onFetched()
    isFirst = false
    yield piece
  }
}

/** Number of bytes in which the command is found, since it comes first. */
const LS_REFS_WITHIN = 64

async function pushToProject(
  deps: GitHttpDeps,
  admitted: Admitted,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Buffer | Readable> {
  const pusher = asPusher(admitted)
  const body = unpacked(request.raw)
  const greet = () => deps.greet?.(pusher.project.id) ?? []
  return receivePush(deps, { pusher, body, protocol: protocolOf(request), signal: clientGone(reply), greet })
}

async function pushToOther(
  deps: GitHttpDeps,
  { repositories, id, gitDir, onPushed }: OtherRepository & { gitDir: string },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Readable> {
  const signal = clientGone(reply)
  const releaseSlot = await acquireGitSlot(repositories, id, 'writing', signal)
  const options = { gitDir, protocol: protocolOf(request), signal, settings: OTHER_SETTINGS }
  const running = await serve('git-receive-pack', unpacked(request.raw), options)
  logEnd(deps, 'git-receive-pack', running)
  const ended = running.ended.then(releaseSlot).then(onPushed)
  return Readable.from(outputAfter(running.output, ended))
}

/** The response ends when its effects are stored. */
async function* outputAfter(output: Readable, ended: Promise<void>): AsyncGenerator<Buffer> {
  yield* output as AsyncIterable<Buffer>
  await ended
}

export function shownBy({ headers, ip }: FastifyRequest): ShownCredentials {
  return { authorization: headers.authorization, address: ip }
}

function unpacked(request: IncomingMessage): AsyncIterable<Buffer> {
  const encoding = request.headers['content-encoding']
  if (encoding === undefined || encoding === 'identity') return request
  if (!/^(x-)?gzip$/.test(encoding)) throw gitError('git_encoding_not_supported', { encoding })
  // The reader of the result gets the errors of both streams.
  return pipeline(request, createGunzip(), () => undefined)
}

async function* both(head: Buffer[], rest: Readable): AsyncGenerator<Buffer> {
  yield* head
  yield* rest as AsyncIterable<Buffer>
}

async function send(reply: FastifyReply, contentType: string, body: Buffer | Readable): Promise<void> {
  await reply
    .headers({
      'content-type': contentType,
      'cache-control': 'no-cache, max-age=0, must-revalidate',
      expires: 'Fri, 01 Jan 1980 00:00:00 GMT',
      pragma: 'no-cache',
    })
    .send(body)
}

/**
 * Logs early ends at a low level: git itself reports errors to its client, and some exit codes other than 0
 * are normal.
 */
function logEnd(deps: GitHttpDeps, service: GitService, running: RunningService): void {
  void running.ended.then((end) => {
    if (end.exitCode !== 0) deps.logger.info({ ...end }, `${service} ended early`)
  })
}

function protocolOf(request: FastifyRequest): string | undefined {
  const value = request.headers['git-protocol']
  return typeof value === 'string' ? value : undefined
}

function sendRefusal(error: Error, request: FastifyRequest, reply: FastifyReply): void {
  if (error instanceof ProjectRedirectError) {
    void reply.redirect(redirectAddress(request.raw.url ?? '/', error.fullPath), 301)
    return
  }
  if (!(error instanceof GitRefusedError)) throw error // served by the error handler of the application
  void reply
    .status(error.status)
    .headers({ 'cache-control': 'no-cache', [ERROR_CODE_HEADER]: error.code, ...error.headers })
    .type('text/plain; charset=utf-8')
    .send(`${error.message}\n`)
}
