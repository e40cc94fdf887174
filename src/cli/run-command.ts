import { EXIT_CODES } from '../error-catalogue/exit-codes.js'
import { SwitchyardError } from '../lib/errors.js'

/**
 * Runs a program. Deliberate errors are shown as their message only. Other errors are defects, and are shown with
 * their stack.
 */
export async function runCommand(action: () => Promise<unknown>): Promise<void> {
  try {
    await action()
  } catch (error) {
    const message = error instanceof SwitchyardError ? error.message : error
    console.error('switchyard:', message)
    process.exitCode = EXIT_CODES.failed.code
  }
}
