import { vi } from 'vitest'

import { runnerCommand } from '../../../src/cli/commands/runner/index.js'
import type { CommandResult } from './processes.js'

/**
 * Runs `switchyard runner …` in this process, which takes a tenth of the time that a process takes to start. For commands
 * that end by themselves, and whose arguments are valid.
 */
export async function runRunnerCommand(
  args: string[],
  environment: Record<string, string> = {},
): Promise<CommandResult> {
  const result: CommandResult = { exitCode: 0, stdout: '', stderr: '' }
  const before = { ...process.env }
  const outer = process.exitCode
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text) => (result[stream] += String(text)) !== ''),
  )
  try {
    Object.assign(process.env, environment)
    process.exitCode = 0
    await runnerCommand().parseAsync(args, { from: 'user' })
    return { ...result, exitCode: Number(process.exitCode) }
  } finally {
    spies.forEach((spy) => spy.mockRestore())
    process.exitCode = outer
    for (const name of Object.keys(environment)) {
      if (before[name] === undefined) Reflect.deleteProperty(process.env, name)
      else process.env[name] = before[name]
    }
  }
}
