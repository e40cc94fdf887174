import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

import { messageOf, SwitchyardError } from '../../lib/errors.js'
import type { Logger } from '../../lib/logger.js'
import type { ListenAddress } from '../config/settings.js'
import type { Metrics } from '../metrics/metrics.js'
import type { RegistrationHealth } from '../registrations/registration-view.js'
import type { RunningJob } from '../registrations/running-jobs.js'
import { JOBS_LIST_VERSION, jobsList } from './jobs-list.js'
import { readinessOf } from './readiness.js'

/** The address in `listen_address` cannot be used. */
class ListenError extends SwitchyardError {
  readonly name = 'ListenError'
  readonly code = 'LISTEN_FAILED'
}

export interface ListenedRunner {
  jobs(): RunningJob[]
  health(): Promise<RegistrationHealth[]>
}

export interface Listener {
  readonly port: number
  close(): Promise<void>
}

interface ListenerResponse {
  status?: number
  headers?: Record<string, string>
  body: string
}

/** Serves metrics and health checks (runner protocol, 9.7). Throws `ListenError`. */
export async function startListener(
  { host, port }: ListenAddress,
  runner: ListenedRunner,
  metrics: Pick<Metrics, 'text' | 'contentType'>,
  logger: Logger,
): Promise<Listener> {
  const server = createServer((request, response) => {
    respond(runner, metrics, request, response).catch((error: unknown) => {
      logger.warn({ err: error }, 'A request for metrics or health could not be served')
      response.destroy()
    })
  })
  try {
    server.listen({ port, ...(host === '' ? {} : { host }) })
    await once(server, 'listening')
  } catch (error) {
    throw new ListenError(`Cannot listen on ${host}:${port} (listen_address): ${messageOf(error)}`, {
      cause: error,
    })
  }
  const address = server.address()
  const actualPort = typeof address === 'object' && address ? address.port : port
  logger.info({ host, port: actualPort }, 'Serving metrics and health checks')
  return {
    port: actualPort,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function respond(
  runner: ListenedRunner,
  metrics: Pick<Metrics, 'text' | 'contentType'>,
  { method, url }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const result: ListenerResponse =
    method === 'GET' || method === 'HEAD'
      ? await responseTo(new URL(url ?? '/', 'http://localhost').pathname, runner, metrics)
      : { status: 405, headers: { allow: 'GET, HEAD' }, body: 'Only GET and HEAD\n' }
  const { status = 200, headers = { 'content-type': 'text/plain; charset=utf-8' }, body } = result
  response.writeHead(status, headers).end(method === 'HEAD' ? undefined : body)
}

async function responseTo(
  path: string,
  runner: ListenedRunner,
  metrics: Pick<Metrics, 'text' | 'contentType'>,
): Promise<ListenerResponse> {
  switch (path) {
    case '/metrics':
      return { headers: { 'content-type': metrics.contentType }, body: await metrics.text() }
    case '/debug/jobs/list':
      return {
        headers: { 'content-type': 'text/plain; charset=utf-8', 'x-list-version': JOBS_LIST_VERSION },
        body: jobsList(runner.jobs(), new Date()),
      }
    case '/health':
      return json(200, { status: 'ok' })
    case '/health/ready': {
      const readiness = readinessOf(await runner.health())
      return json(readiness.ready ? 200 : 503, readiness)
    }
    default:
      return { status: 404, body: 'Available: /metrics, /debug/jobs/list, /health and /health/ready\n' }
  }
}

function json(status: number, body: object): ListenerResponse {
  return { status, headers: { 'content-type': 'application/json' }, body: `${JSON.stringify(body)}\n` }
}
