import { spawn } from 'node:child_process'
import { once } from 'node:events'

import { SetupError } from '../setup/say.mjs'

/**
 * Runs a command in the foreground.
 * @param {readonly [string, ...string[]]} command
 * @param {string} folder
 * @throws {SetupError} if it fails
 */
export async function runShown([program, ...args], folder) {
  const [code] = /** @type {[number | null]} */ (
    await once(spawn(program, args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] }), 'exit')
  )
  if (code !== 0) throw new SetupError(`${[program, ...args].join(' ')} failed. Nothing was changed.`)
}
