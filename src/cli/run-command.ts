import { SwitchyardError } from '../lib/errors.js'

/** Runs a program; what goes wrong on purpose is told in its own words, and only a defect shows where it happened. */
export async function runCommand(action: () => Promise<unknown>): Promise<void> {
  try {
    await action()
  } catch (error) {
    const told = error instanceof SwitchyardError ? error.message : error
    console.error('switchyard:', told)
    process.exitCode = 1
  }
}
