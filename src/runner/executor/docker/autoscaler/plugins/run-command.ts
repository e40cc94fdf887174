import { execa } from 'execa'

import type { Logger } from '../../../../../lib/logger.js'
import { PluginError } from '../model/errors.js'
import type { CommandLine } from '../model/settings.js'

/** Characters of the output of one command. */
const MAX_OUTPUT = 1024 * 1024
const MAX_LOGGED_LINES = 50
/** Milliseconds between SIGTERM and SIGKILL. */
const GRACE = 2000

export interface CommandCall {
  /** Name of the command in messages, such as `create`. */
  name: string
  command: CommandLine
  /** Text on its standard input. */
  input: string
  /** Milliseconds. */
  timeout: number
  environment: Record<string, string>
  signal: AbortSignal
  logger: Logger
}

/**
 * Runs a command of the operator and returns its output. What it writes to its standard error is logged. Throws a
 * `PluginError` if it cannot be started, fails or takes too long, and the reason of the signal if that aborts.
 */
export async function runCommand(call: CommandCall): Promise<string> {
  const [program, ...args] = call.command
  call.signal.throwIfAborted()
  const result = await execa(program, args, {
    input: call.input,
    env: call.environment,
    timeout: call.timeout,
    maxBuffer: MAX_OUTPUT,
    forceKillAfterDelay: GRACE,
    cancelSignal: call.signal,
    reject: false,
  })
  call.signal.throwIfAborted()
  logLines(call, result.stderr, result.failed ? 'warn' : 'info')
  if (!result.failed) return result.stdout
  const message = `The command "${call.name}" (${program}) ${describeFailure(result, call)}`
  throw new PluginError(message, { cause: result })
}

interface CommandFailure {
  stderr: string
  timedOut: boolean
  isMaxBuffer: boolean
  exitCode?: number | undefined
  signal?: string | undefined
  originalMessage?: string | undefined
}

function describeFailure(failure: CommandFailure, { timeout }: CommandCall): string {
  const { stderr, timedOut, isMaxBuffer, exitCode, signal, originalMessage } = failure
  const last = lastLine(stderr)
  const words = last === '' ? '' : `: ${last}`
  if (timedOut) return `did not end within ${timeout / 1000} seconds${words}`
  if (isMaxBuffer) return `printed more than ${MAX_OUTPUT} characters`
  if (exitCode !== undefined) return `failed with exit code ${exitCode}${words}`
  if (signal !== undefined) return `was ended by ${signal}${words}`
  return `cannot be started: ${originalMessage ?? 'unknown error'}`
}

/** The last line with text. Empty if there is none. */
export function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1)?.trim() ?? ''
}

function logLines({ name, logger }: CommandCall, stderr: string, level: 'info' | 'warn'): void {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '')
  for (const line of lines.slice(-MAX_LOGGED_LINES)) logger[level]({ command: name }, line)
}
