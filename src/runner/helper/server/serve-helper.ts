import type { Duplex } from 'node:stream'

import type { Logger } from '../../../lib/logger.js'
import { VERSION } from '../../../lib/version.js'
import type { HelperPlaces } from '../../executor/helper-places.js'
import { type Method, METHODS } from '../protocol/calls.js'
import { HelperProtocolError } from '../protocol/errors.js'
import { MessageChannel } from '../protocol/message-channel.js'
import { type HelperMessage, MAX_RUNNER_BODY_BYTES, RunnerMessage } from '../protocol/messages.js'
import { recordError } from '../protocol/recorded-error.js'
import { RequestHandlers } from './request-handlers.js'
import { ServedRequest } from './served-request.js'

export interface HelperOptions {
  places: HelperPlaces
  logger: Logger
  /** Of this program. */
  version?: string
  /** Called when the connection has ended, and requests may still be running. */
  onEnd?: () => void
}

/**
 * Serves the requests of a runner (`HelperClient`), several at a time. Resolves when the connection has ended, and with it all
 * requests. `signal` ends it.
 */
export async function serveHelper(
  stream: Duplex,
  { places, logger, version = VERSION, onEnd = () => {} }: HelperOptions,
  signal?: AbortSignal,
): Promise<void> {
  const connection = new AbortController()
  const requests = new Map<number, ServedRequest>()
  const running = new Set<Promise<void>>()
  const handlers = new RequestHandlers(places)
  let isGreeted = false

  const channel = new MessageChannel<typeof RunnerMessage, HelperMessage>(stream, {
    incoming: RunnerMessage,
    maxBodyBytes: MAX_RUNNER_BODY_BYTES,
    onMessage: receive,
  })
  const end = () => channel.destroy(new Error('The helper process was ended'))
  signal?.addEventListener('abort', end)
  if (signal?.aborted) end()
  await channel.send({ type: 'hello', version })
  const reason = await channel.ended
  signal?.removeEventListener('abort', end)
  if (reason) logger.info({ reason: reason.message }, 'The connection to the runner has ended')
  onEnd()
  connection.abort(reason ?? new Error('The connection was closed'))
  await Promise.all(running)

  function receive(message: RunnerMessage, body: Buffer): void {
    if (message.type === 'ping') return
    if (message.type === 'hello') {
      // The runner reports the difference.
      isGreeted = message.version === version
      return
    }
    if (!isGreeted) throw new HelperProtocolError('The runner has another version')
    if (message.type === 'request') begin(message.id, message.method, body)
    else pass(message)
  }

  function pass(message: Exclude<RunnerMessage, { type: 'ping' | 'hello' | 'request' }>): void {
    const request = requests.get(message.id)
    switch (message.type) {
      case 'abort':
        return request?.abort(message)
      case 'received':
        return request?.acknowledge(message)
      case 'reply':
        return request?.reply(message)
    }
  }

  function begin(id: number, name: string, body: Buffer): void {
    const request = new ServedRequest(id, (message, bytes) => channel.send(message, bytes), connection.signal)
    requests.set(id, request)
    const work = serve(id, name, body, request).finally(() => {
      requests.delete(id)
      request.release()
      running.delete(work)
    })
    running.add(work)
  }

  async function serve(id: number, name: string, body: Buffer, request: ServedRequest): Promise<void> {
    try {
      if (!isMethod(name)) throw new HelperProtocolError(`There is no method "${name}"`)
      const result = await handlers.handle(name, JSON.parse(body.toString()), request)
      await channel.send({ type: 'result', id }, Buffer.from(JSON.stringify(result ?? null)))
    } catch (error) {
      logger.debug({ err: error, method: name }, 'A request failed')
      await channel.send({ type: 'failure', id, error: recordError(error) })
    }
  }
}

function isMethod(name: string): name is Method {
  return Object.hasOwn(METHODS, name)
}
