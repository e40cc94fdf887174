import { ExecutorError } from './executor.js'

/** `words`: why the command of the container did not run. */
export function cannotRun(image: string, words: string, cause?: unknown): ExecutorError {
  return new ExecutorError(
    `The image "${image}" cannot run a script: it has no shell "sh", or its entrypoint does not work (${words}). ` +
      'Use an image with a shell, or set "entrypoint" of the image.',
    'runner_configuration_error',
    { cause },
  )
}

/** `words`: why the command of the container of a service did not run. */
export function serviceNotStarted(image: string, words: string, cause?: unknown): ExecutorError {
  return new ExecutorError(
    `The service "${image}" cannot be started (${words}). Check its "entrypoint" and "command".`,
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

/** Whether the message of a container runtime says that the command of the container does not exist. */
export function isCommandMissing(words: string): boolean {
  return /executable file not found|exec: "|no such file or directory: unknown|permission denied: unknown|exec format error/i.test(
    words,
  )
}
