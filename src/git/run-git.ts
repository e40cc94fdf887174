import { gitEnvironment, type GitSettings } from './environment.js'
import { GitError } from './errors.js'
import { launchProgram, type ProgramStreams, streamProgram } from './launch-program.js'

export interface GitOptions {
  /** Working directory of the process. To select a repository, prefer `--git-dir` in the arguments. */
  cwd?: string
  /** Settings of this call only, as set by `-c`. */
  settings?: GitSettings
  /** Additional environment variables, for example `GIT_INDEX_FILE`. */
  environment?: Record<string, string>
  input?: string | Buffer
  signal?: AbortSignal
  /** Whether all other processes of the machine take precedence. */
  isBackground?: boolean
  /** Called with the error output of git after it succeeded. */
  onMessages?: (text: string) => void
}

/** Maximum size of buffered output, which is refs, names and small files. More is an error. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

/** Runs git to its end and returns its output. Throws `GitError` if the exit code is not 0. */
export async function runGit(args: string[], options: GitOptions = {}): Promise<string> {
  return await runProgram({ file: 'git', args, name: commandOf(args) }, options)
}

/**
 * Runs git several times, each time only if the previous one succeeded, like `runGit`. Starts only one process for
 * all of them. The cost of starting a process grows with the memory of this one, and blocks it.
 */
export async function runGitSequence(commands: string[][], options: GitOptions = {}): Promise<string> {
  const [only] = commands
  if (only && commands.length === 1) return await runGit(only, options)
  const script = commands.map((args) => ['git', ...args].map(quoted).join(' ')).join(' && ')
  const name = commands.map(commandOf).join(' && ')
  return await runProgram({ file: '/bin/sh', args: ['-c', script], name }, options)
}

/** Quotes for a POSIX shell, in which nothing has a special meaning between apostrophes. */
function quoted(argument: string): string {
  return `'${argument.replaceAll("'", "'\\''")}'`
}

/** `name` is used in error messages. */
async function runProgram(
  { file, args, name }: { file: string; args: string[]; name: string },
  { cwd, settings, environment, input, signal, isBackground, onMessages }: GitOptions,
): Promise<string> {
  signal?.throwIfAborted()
  // Child processes inherit the priority, so it must be set before git starts.
  const program = isBackground ? { file: 'nice', args: ['-n', '19', file, ...args] } : { file, args }
  const running = launchProgram({
    ...program,
    env: { ...gitEnvironment(settings), ...environment },
    cwd,
    input,
    // A fetch has helper processes that outlive it and keep its output open. They have to end with it.
    isGroup: signal !== undefined,
    maxOutputBytes: MAX_OUTPUT_BYTES,
  })
  signal?.addEventListener('abort', running.stop, { once: true })
  const { exitCode, stdout, stderr, failure } = await running.ended
  signal?.removeEventListener('abort', running.stop)
  const messages = Buffer.from(stderr).toString()
  if (exitCode !== 0 || failure !== undefined) {
    throw new GitError(
      name,
      exitCode,
      messages,
      failure === undefined ? undefined : { cause: new Error(failure) },
    )
  }
  onMessages?.(messages)
  return Buffer.from(stdout).toString()
}

export interface SpawnOptions extends Pick<GitOptions, 'settings' | 'environment'> {
  /** Whether its hooks, too, can write to the caller and read from it, on file descriptor 3. */
  hasChannel?: boolean
  /** Name of an environment variable whose value is the first line of the input. Git starts when it has arrived. */
  inputVariable?: string | undefined
}

const WITH_VARIABLE = 'IFS= read -r value || exit 1; export "$0=$value"; exec git "$@"'

/** Starts git with all three streams open, for data that is too large to buffer. The caller must wait for its end. */
export function spawnGit(
  args: string[],
  { settings, environment, hasChannel = false, inputVariable }: SpawnOptions = {},
): Promise<ProgramStreams> {
  const env = { ...gitEnvironment(settings), ...environment }
  const program =
    inputVariable === undefined
      ? { file: 'git', args }
      : { file: '/bin/sh', args: ['-c', WITH_VARIABLE, inputVariable, ...args] }
  return streamProgram({ ...program, env, isGroup: false, hasChannel })
}

/** The subcommand, for messages. Arguments may contain secrets. */
export function commandOf(args: string[]): string {
  return args.find((arg, index) => !arg.startsWith('-') && args[index - 1] !== '--git-dir') ?? ''
}
