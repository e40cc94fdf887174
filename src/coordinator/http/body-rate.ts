import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'

import type { FastifyInstance } from 'fastify'

import { tooSlow } from './errors.js'

/** How much of a body must come. */
export interface BodyRate {
  /** In each window, but for one in which the body ends. */
  bytes: number
  /** Length of a window. */
  seconds: number
}

/**
 * One KiB a second: the slowest links in use, of phones out of reach of better ones, carry several. Within the first window
 * any body may take its time, as long as one that is parsed has (`BODY_SECONDS`).
 */
export const LEAST_RATE: BodyRate = { bytes: 60 * 1024, seconds: 60 }

/**
 * The same for what jobs upload and git pushes, over ten minutes: runners and git pack while they send, and a minute of files
 * that shrink to nothing must not cost a job its result.
 */
export const LEAST_STREAM_RATE: BodyRate = { bytes: 600 * 1024, seconds: 600 }

/**
 * Answers 408 to bodies that an operation reads itself and that drip: a byte now and then is no silence, yet holds a
 * connection and a file, or git, for as long as its sender likes. Only a client that keeps us waiting is counted slow, not
 * one that waits for our disk. `cut`: the connection ends without an answer, as where a protocol has none.
 */
export function limitBodyRate(
  app: FastifyInstance,
  rate: BodyRate,
  ending: 'answer' | 'cut' = 'answer',
): void {
  app.addHook('preHandler', ({ raw }, _reply, done) => {
    if (!raw.complete && raw.socket instanceof Socket) watchRate(raw, rate, ending)
    done()
  })
}

function watchRate(raw: IncomingMessage, { bytes, seconds }: BodyRate, ending: 'answer' | 'cut'): void {
  const { socket } = raw
  let seen = socket.bytesRead
  const look = (): void => {
    const came = socket.bytesRead - seen
    seen = socket.bytesRead
    // Bytes that arrived but were not read yet wait for the coordinator, not for the client.
    if (came >= bytes || raw.readableLength > 0 || raw.complete) return
    stop()
    // The reader of the body receives the error and responds. Without a reader, an error would end the
    // process.
    if (ending === 'answer' && raw.listenerCount('error') > 0) raw.emit('error', tooSlow())
    else raw.destroy()
  }
  const timer = setInterval(look, seconds * 1000).unref()
  const stop = (): void => clearInterval(timer)
  raw.once('end', stop)
  raw.once('close', stop)
}
