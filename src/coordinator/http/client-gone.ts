import type { FastifyReply } from 'fastify'

/**
 * Returns a signal that aborts when the client's connection closes before the response was written. Long
 * polling then stops waiting and requeues what it would have dispatched.
 */
export function clientGone(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const { raw } = reply
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort()
  })
  if (raw.destroyed && !raw.writableFinished) controller.abort()
  return controller.signal
}
