import { EngineLostError, ExecutorError } from '../../executor.js'

/**
 * Adds the name of the host to an error of its executor, which ends up in the log of the job. The loss of a host names it
 * already.
 */
export function nameHost(error: unknown, host: string): unknown {
  if (!(error instanceof ExecutorError) || error instanceof EngineLostError) return error
  return new ExecutorError(`On the host "${host}": ${error.message}`, error.reason, {
    cause: error.cause ?? error,
  })
}
