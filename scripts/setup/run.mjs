import { spawn } from 'node:child_process'

/** Number of lines of a failed command's output to show. Compilers and apt report errors at the end. */
const SHOWN_LINES = 40

export class CommandError extends Error {
  /** @override */
  name = 'CommandError'

  /**
   * @param {string} command
   * @param {string} output
   */
  constructor(command, output) {
    super(`${command} failed:\n${output.trimEnd().split('\n').slice(-SHOWN_LINES).join('\n')}`)
  }
}

/**
 * Runs a command quietly and returns its output, which is shown if the command fails.
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} [environment] beside that of this process
 * @returns {Promise<string>} standard output and standard error as they came
 * @throws {CommandError} if the exit code is not 0 or the command does not exist
 */
export function run(command, args, environment = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...environment },
    })
    let output = ''
    /** @param {Buffer} bytes */
    const keep = (bytes) => {
      output += bytes.toString()
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    const line = [command, ...args].join(' ')
    child.once('error', (error) => reject(new CommandError(line, error.message)))
    child.once('close', (code) => (code === 0 ? resolve(output) : reject(new CommandError(line, output))))
  })
}
