import { ExecutorError } from '../../executor.js'

/** Adds the name of the host to an error of its executor, which ends up in the log of the job. */
export function nameHost(error: unknown, host: string): unknown {
  if (!(error instanceof ExecutorError)) return error
  return new ExecutorError(`On the host "${host}": ${error.message}`, error.reason, {
    cause: error.cause ?? error,
  })
}

export async function namingHost<T>(host: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw nameHost(error, host)
  }
}
