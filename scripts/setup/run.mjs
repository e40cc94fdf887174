import { spawn } from 'node:child_process'

/** Lines of a failed command's output that are worth showing: the end, where compilers and apt say what went wrong. */
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
 * Runs a command quietly; what it prints is answered, and shown when it fails.
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} [environment] beside that of this process
 * @returns {Promise<string>} standard output and standard error as they came
 * @throws {CommandError} when the exit code is not 0 or there is no such command
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
