import { chdir } from 'node:process'

import { root } from './root.mjs'
import { CommandError } from './run.mjs'
import { SetupError } from './say.mjs'

/**
 * Runs a whole command from the root of the repository. A problem that the user can solve is printed without a stack.
 * @param {() => Promise<number>} main returns the exit code
 */
export async function command(main) {
  chdir(root)
  try {
    process.exitCode = await main()
  } catch (error) {
    if (!(error instanceof SetupError || error instanceof CommandError)) throw error
    process.stderr.write(`\nswitchyard: ${error.message}\n`)
    process.exitCode = 1
  }
}
