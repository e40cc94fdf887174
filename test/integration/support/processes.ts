import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** The compiled entry point, as a user would start it. */
export const SWITCHYARD = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url))

export interface RunningProcess {
  readonly child: ChildProcess
  /** The standard error output, for the messages of failing tests. */
  log(): string
  /** Resolves when the log contains `text`. Throws with the log if the process ends first. */
  logContaining(text: string): Promise<void>
  kill(signal: NodeJS.Signals): Promise<void>
}

export interface CommandResult {
  exitCode: number | null
  stdout: string
  stderr: string
}

/** Starts a daemon of the compiled package, or of another version of it. */
export function startSwitchyard(
  args: string[],
  environment: Record<string, string> = {},
  program = SWITCHYARD,
): RunningProcess {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'close')
  let log = ''
  const collect = (chunk: Buffer) => {
    log = (log + chunk.toString()).slice(-20_000)
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  return {
    child,
    log: () => log,
    logContaining: async (text) => {
      while (!log.includes(text)) {
        const ended = await Promise.race([exited, once(child.stderr, 'data').then(() => undefined)])
        if (ended && !log.includes(text))
          throw new Error(`The process ended before it said "${text}":\n${log}`)
      }
    },
    kill: async (signal) => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      await exited
    },
  }
}

/** Runs a command of the compiled package to its end. */
export async function runSwitchyard(
  args: string[],
  environment: Record<string, string> = {},
): Promise<CommandResult> {
  const child = spawn(process.execPath, [SWITCHYARD, ...args], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const [exitCode] = (await once(child, 'close')) as [number | null]
  return { exitCode, stdout, stderr }
}
