import { ExecutorError } from '../../executor.js'
import { engineFailure, engineWords, isNotFound, statusOf } from '../engine.js'

/**
 * Why the engine did not start the container of the job, with a remedy for the author of the job or the
 * administrator of the runner.
 */
export function startFailure(error: unknown, image: string): ExecutorError {
  const words = engineWords(error)
  if (isCommandMissing(words)) return cannotRun(image, words, error)
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

export function cannotRun(image: string, words: string, cause?: unknown): ExecutorError {
  return new ExecutorError(
    `The image "${image}" cannot run a script: it has no shell "sh", or its entrypoint does not work (${words}). ` +
      'Use an image with a shell, or set "entrypoint" of the image.',
    'runner_configuration_error',
    { cause },
  )
}

/** The container ended without an error, and the script did not say that it has run to its end. */
export function scriptNotRun(image: string): ExecutorError {
  return new ExecutorError(
    `The container of the image "${image}" ended before the script of the job did. The entrypoint of the image must run ` +
      'the command that it gets, such as with exec "$@", and wait for its end. Correct it, or set "entrypoint" of the ' +
      'image to [""].',
    'runner_configuration_error',
  )
}

function isCommandMissing(words: string): boolean {
  return (
    !/docker-init/.test(words) &&
    /executable file not found|exec: "|no such file or directory: unknown|permission denied: unknown/i.test(
      words,
    )
  )
}
