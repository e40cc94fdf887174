import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { WebSocket } from 'ws'

import { insertAuditEvent } from '../../../../src/coordinator/accounts/audit-events/store.js'
import { TerminalRelay } from '../../../../src/coordinator/ci/terminals/relay.js'
import { serveTerminals } from '../../../../src/coordinator/ci/terminals/sockets.js'
import { EgressClient } from '../../../../src/coordinator/egress/egress-client.js'
import { createLogger, type Logger } from '../../../../src/lib/logger.js'
import { tokenDigest } from '../../../../src/lib/tokens.js'
import { openSqlite } from '../../../support/databases.js'
import { onFinished } from '../../../support/lifetime.js'
import { INFO_WITH_SHELLS } from '../../../support/shell-runner.js'
import { type CiCoordinator, pushPipeline, startCiCoordinator } from '../../support/ci-coordinator.js'
import { RunnerClient } from '../../support/runner-client.js'
import { addPerson, type Person } from '../../support/test-app.js'

export const LOGGER = createLogger('test', 'silent')

interface GivenTicket {
  ticket: string
  url: string
}

interface SceneOptions {
  logger?: Logger
  /** Whether the coordinator connects to addresses of this machine. */
  allowLocalNetwork?: boolean
  /** Parameters of the job request of the runner. */
  request?: Record<string, unknown>
}

/** A server of terminals, and a running job whose runner opens them; `hold` holds it. */
export async function openTerminalScene({
  logger = LOGGER,
  allowLocalNetwork = true,
  request = { info: INFO_WITH_SHELLS },
}: SceneOptions = {}) {
  const coordinator = await startCiCoordinator({}, openSqlite)
  const runner = await RunnerClient.register(coordinator)
  const takeJob = async () => {
    await pushPipeline(coordinator, 'build: { script: [make] }')
    return await runner.takeJob(request)
  }
  const job = await takeJob()
  const relay = new TerminalRelay({ onEnd: () => {}, logger })
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onFinished(() => void server.close())
  const url = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const egress = new EgressClient({ allowLocalNetwork })
  onFinished(() => void egress.close())
  const clock = { now: Date.now }
  const settings = { areEnabled: true, maxSeconds: 0 }
  serveTerminals(server, {
    engine: coordinator.engine,
    watches: coordinator.watches,
    onChanged: () => {},
    relay,
    egress,
    storeAuditEvent: insertAuditEvent,
    externalUrl: `http://${url}`,
    logger,
    areEnabled: () => settings.areEnabled,
    maxSeconds: () => settings.maxSeconds,
    checkEvery: 20,
    now: () => clock.now(),
  })
  const ask = (as: Person = coordinator.admin, of = job, body: object = { command: ['ls'] }) =>
    coordinator.app.call(as, `POST /projects/${coordinator.project.id}/jobs/${of.id}/terminal`, body)
  const ticket = async (as?: Person, of = job) => {
    const response = await ask(as, of)
    if (response.statusCode !== 201) throw new Error(response.body)
    return response.json<GivenTicket>()
  }
  const person = ({ ticket: text, url: path }: GivenTicket, headers = {}) =>
    opened(new WebSocket(`ws://${url}${path}`, ['switchyard.terminal', `ticket.${text}`], { headers }))
  const joining = ({ url: path }: Pick<GivenTicket, 'url'>, headers: Record<string, string>) =>
    opened(new WebSocket(`ws://${url}${path}`, { headers }))
  return {
    coordinator,
    runner,
    job,
    takeJob,
    url,
    clock,
    settings,
    ask,
    ticket,
    person,
    joining,
    hold: () => holdJob(coordinator, job.id),
  }
}

/** The runner of the job has the token `hold`. */
async function holdJob({ database }: CiCoordinator, jobId: number): Promise<void> {
  const now = Date.now()
  await database
    .insertInto('job_hold')
    .values({
      job_id: jobId,
      token_digest: tokenDigest('hold'),
      place: 'container',
      has_terminal: true,
      since: now,
      until: now + 60_000,
      latest: now + 60_000,
    })
    .execute()
}

/** A member of the project. */
export async function addMember(
  { database, project }: CiCoordinator,
  name: string,
  access_level: number,
): Promise<Person> {
  const added = await addPerson(database, name)
  const membership = { project_id: project.id, user_id: added.id, access_level, created_at: Date.now() }
  await database.insertInto('member').values(membership).execute()
  return added
}

/** The socket, or the status of the refusal. */
export async function opened(socket: WebSocket): Promise<WebSocket | number> {
  onFinished(() => socket.terminate())
  if (socket.readyState === socket.OPEN) return socket
  // A message may arrive together with the response.
  socket.once('open', () => socket.pause())
  return await new Promise((resolve, reject) => {
    socket.on('open', () => resolve(socket))
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
    socket.on('error', reject)
  })
}

export function asSocket(result: WebSocket | number): WebSocket {
  if (typeof result === 'number') throw new Error(`refused with ${result}`)
  return result
}

export async function nextMessage(socket: WebSocket): Promise<string> {
  const message = once(socket, 'message')
  socket.resume()
  const [data] = (await message) as [Buffer]
  return data.toString('utf8')
}

/** The code and the reason with which it is closed. */
export async function closing(socket: WebSocket): Promise<[code: number, reason: string]> {
  const closed = once(socket, 'close')
  socket.resume()
  const [code, reason] = (await closed) as [number, Buffer]
  return [code, reason.toString()]
}
