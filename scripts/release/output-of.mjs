import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import { CommandError } from '../setup/run.mjs'

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

/**
 * Runs a command and returns its standard output, without the last line break.
 * @param {string} command
 * @param {string[]} args
 * @param {string} [folder]
 * @returns {Promise<string>}
 * @throws {CommandError} with standard error
 */
export async function outputOf(command, args, folder = '.') {
  try {
    const { stdout } = await promisify(execFile)(command, args, { cwd: folder, maxBuffer: MAX_OUTPUT_BYTES })
    return stdout.trimEnd()
  } catch (error) {
    const reason =
      error instanceof Error && 'stderr' in error ? String(error.stderr) || error.message : String(error)
    throw new CommandError([command, ...args].join(' '), reason)
  }
}
