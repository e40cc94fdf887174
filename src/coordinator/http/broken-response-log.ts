import { type FastifyReply, type FastifyRequest, LogController } from 'fastify'

import { SwitchyardError } from '../../lib/errors.js'
import { logFailure } from './error-handler.js'

/** Logs responses that break off after their headers were sent. Requests are logged by `logServed`. */
export class BrokenResponseLog extends LogController {
  constructor() {
    super({ disableRequestLogging: true })
  }

  /** An error of our own says what is wrong with the body. Others are mostly clients that went away. */
  override streamError(error: Error, request: FastifyRequest, reply: FastifyReply): void {
    if (!(error instanceof SwitchyardError)) return super.streamError(error, request, reply)
    logFailure(error, request, 'The response broke off')
  }
}
