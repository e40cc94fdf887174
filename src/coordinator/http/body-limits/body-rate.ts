import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'

import type { FastifyInstance } from 'fastify'

import { tooSlow } from '../errors.js'

/** Minimum rate of a request body. */
export interface BodyRate {
  /** Minimum in each window, except the one in which the body ends. */
  bytes: number
  /** Length of a window. */
  seconds: number
}

/**
 * One KiB per second, which even very slow mobile links exceed. In the first window a body is not limited
 * more strictly than one that is parsed (`BODY_SECONDS`).
 */
export const LEAST_RATE: BodyRate = { bytes: 60 * 1024, seconds: 60 }

/**
 * Like `LEAST_RATE`, for uploads of jobs and git pushes, measured over ten minutes. Runners and git compress
 * while they send, and a minute of highly compressible files must not fail a job.
 */
export const LEAST_STREAM_RATE: BodyRate = { bytes: 600 * 1024, seconds: 600 }

/**
 * Returns 408 to streamed bodies that arrive too slowly. A client that sends single bytes is never idle, but
 * occupies a connection and a file or git process. Only time spent waiting for the client counts, not time in
 * which the coordinator writes to disk. `cut`: closes the connection without a response, for protocols that
 * have none.
 */
export function limitBodyRate(
  app: FastifyInstance,
  rate: BodyRate,
  ending: 'response' | 'cut' = 'response',
): void {
  app.addHook('preHandler', ({ raw }, _reply, done) => {
    if (!raw.complete && raw.socket instanceof Socket) watchRate(raw, rate, ending)
    done()
  })
}

function watchRate(raw: IncomingMessage, { bytes, seconds }: BodyRate, ending: 'response' | 'cut'): void {
  const { socket } = raw
  let seen = socket.bytesRead
  const check = (): void => {
    const came = socket.bytesRead - seen
    seen = socket.bytesRead
    // If received bytes are not read yet, the client waits for the coordinator, not the other way round.
    if (came >= bytes || raw.readableLength > 0 || raw.complete) return
    stop()
    // The reader of the body receives the error and responds. Without a reader, an error would end the
    // process.
    if (ending === 'response' && raw.listenerCount('error') > 0) raw.emit('error', tooSlow())
    else raw.destroy()
  }
  const timer = setInterval(check, seconds * 1000).unref()
  const stop = (): void => clearInterval(timer)
  raw.once('end', stop)
  raw.once('close', stop)
}
