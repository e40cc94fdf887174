import { ExecutorError } from '../../executor.js'
import { cannotRun, isCommandMissing } from '../../image-failure.js'
import { engineFailure, engineWords, isNotFound, statusOf } from '../engine.js'

/**
 * Why the engine did not start the container of the job, with a remedy for the author of the job or the
 * administrator of the runner.
 */
export function startFailure(error: unknown, image: string): ExecutorError {
  const words = engineWords(error)
  if (isCommandMissing(words) && !/docker-init/.test(words)) return cannotRun(image, words, error)
  if (isNotFound(error) && /no such container/i.test(words)) return containerRemoved(error)
  return engineFailure(error, 'starting the container')
}

export function containerRemoved(cause: unknown): ExecutorError {
  const message = 'The container of the job was removed by another process'
  return new ExecutorError(message, 'runner_system_failure', { cause })
}

/** Whether the requested init process is not installed on the engine's host. */
export function isInitMissing(error: unknown): boolean {
  return statusOf(error) !== undefined && /docker-init|init binary/i.test(engineWords(error))
}
