import type { FastifyReply } from 'fastify'

/**
 * A signal that aborts when the client's connection closes before the answer was written, so that long polling can
 * stop waiting and give back what it would have handed out.
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
