import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'

import { execa } from 'execa'

import { gitEnvironment, type GitSettings } from './environment.js'
import { GitError } from './errors.js'

export interface GitOptions {
  /** Where the process runs; a repository is better named with `--git-dir` in the arguments. */
  cwd?: string
  /** Settings of this call alone, as `-c` would set them. */
  settings?: GitSettings
  /** More environment, for example `GIT_INDEX_FILE`. */
  environment?: Record<string, string>
  input?: string | Buffer
  signal?: AbortSignal
  /** Whether everybody else on the machine goes first. */
  isBackground?: boolean
  /** Told of what git said on its standard error, when it ended well. */
  onMessages?: (text: string) => void
}

/** Output that is kept is text of refs, names and small files; more than this is an error. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

/** Runs git to its end and answers what it printed. Throws `GitError` on any other exit code than 0. */
export async function runGit(args: string[], options: GitOptions = {}): Promise<string> {
  return await runProgram({ file: 'git', args, name: commandOf(args) }, options)
}

/**
 * Runs git several times, each time only if it ended well before, as `runGit` does. This process starts one other
 * for all of them: what that costs grows with its own memory, and nothing else happens in it meanwhile.
 */
export async function runGitInTurn(commands: string[][], options: GitOptions = {}): Promise<string> {
  const [only] = commands
  if (only && commands.length === 1) return await runGit(only, options)
  const script = commands.map((args) => ['git', ...args].map(quoted).join(' ')).join(' && ')
  const name = commands.map(commandOf).join(' && ')
  return await runProgram({ file: '/bin/sh', args: ['-c', script], name }, options)
}

/** For a POSIX shell, to which nothing means anything between apostrophes. */
function quoted(argument: string): string {
  return `'${argument.replaceAll("'", "'\\''")}'`
}

/** `name` is what messages call it. */
async function runProgram(
  { file, args, name }: { file: string; args: string[]; name: string },
  options: GitOptions,
): Promise<string> {
  options.signal?.throwIfAborted()
  // Its children inherit it, so that it has to be there before git is.
  const program = options.isBackground ? { file: 'nice', args: ['-n', '19', file, ...args] } : { file, args }
  const running = execa(program.file, program.args, {
    env: { ...gitEnvironment(options.settings), ...options.environment },
    extendEnv: false,
    reject: false,
    stripFinalNewline: false,
    maxBuffer: MAX_OUTPUT_BYTES,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.input === undefined ? { stdin: 'ignore' as const } : { input: options.input }),
    detached: options.signal !== undefined,
  })
  const endGroup = () => terminateGroup(running.pid)
  options.signal?.addEventListener('abort', endGroup, { once: true })
  const result = await running.finally(() => options.signal?.removeEventListener('abort', endGroup))
  if (result.failed) {
    throw new GitError(name, result.exitCode, result.stderr, { cause: result.cause })
  }
  options.onMessages?.(result.stderr)
  return result.stdout
}

/** A fetch has helpers that outlive it and keep its output open; with its own group, all of them end together. */
function terminateGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGTERM')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Starts git with all three streams open, for what is too large to hold. The caller waits for its `close`. */
export function spawnGit(
  args: string[],
  options: Omit<GitOptions, 'input'> = {},
): ChildProcessWithoutNullStreams {
  return spawn('git', args, {
    env: { ...gitEnvironment(options.settings), ...options.environment },
    cwd: options.cwd,
    signal: options.signal,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
}

/** The subcommand, for messages: arguments may hold what must not be shown. */
export function commandOf(args: string[]): string {
  return args.find((arg, index) => !arg.startsWith('-') && args[index - 1] !== '--git-dir') ?? ''
}
