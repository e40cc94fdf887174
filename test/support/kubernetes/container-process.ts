import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'

import { now } from './object-store.js'
import type { ContainerSpec, ContainerState, ContainerStatus, PodObject } from './pod-objects.js'

/** Of an image without a command in the pod. */
const ENTRYPOINT = ['sleep', '100000']
/** Bytes of the log that are kept. */
const MAX_LOG = 16 * 1024 * 1024

/** A container as a process of this machine. */
export class ContainerProcess {
  private readonly id = randomBytes(32).toString('hex')
  private readonly process: ChildProcess
  private readonly commands = new Set<ChildProcess>()
  private readonly startedAt = now()
  private end: ContainerState['terminated']
  private readonly log: { at: number; chunk: Buffer }[] = []
  private logBytes = 0
  private readonly logListeners = new Set<(chunk: Buffer | undefined) => void>()
  /** Overrides the reason that follows from the exit code. */
  reason: string | undefined
  /** Resolves when the first process has ended. */
  readonly ended: Promise<void>

  /** `pod`: for `valueFrom` of variables. */
  constructor(
    private readonly spec: ContainerSpec,
    private readonly pod: PodObject,
  ) {
    this.process = this.start(this.commandLine())
    this.process.stdin?.end()
    for (const stream of [this.process.stdout, this.process.stderr]) {
      stream?.on('data', (chunk: Buffer) => this.logged(chunk))
    }
    this.ended = this.run()
  }

  get isRunning(): boolean {
    return this.end === undefined
  }

  status(): ContainerStatus {
    const { name, image } = this.spec
    const { end, startedAt, isRunning } = this
    return {
      name,
      image,
      imageID: `docker://sha256:${Buffer.from(image).toString('hex').padEnd(64, '0').slice(0, 64)}`,
      containerID: `docker://${this.id}`,
      state: end ? { terminated: end } : { running: { startedAt } },
      lastState: {},
      ready: isRunning,
      started: isRunning,
      restartCount: 0,
    }
  }

  private environment(): NodeJS.ProcessEnv {
    const { PATH } = process.env
    const entries = (this.spec.env ?? []).map(({ name, value, valueFrom }) => [
      name,
      value ?? this.fieldOf(valueFrom?.fieldRef?.fieldPath),
    ])
    return { PATH, HOME: '/', ...(Object.fromEntries(entries) as NodeJS.ProcessEnv) }
  }

  /** Starts a command beside the first process. */
  start([program = '', ...args]: string[], environment: NodeJS.ProcessEnv = {}): ChildProcess {
    const command = spawn(program, args, {
      cwd: this.spec.workingDir ?? '/',
      env: { ...this.environment(), ...environment },
      detached: true,
      stdio: 'pipe',
    })
    this.commands.add(command)
    command.once('close', () => this.commands.delete(command))
    return command
  }

  /** To the first process. */
  terminate(): void {
    if (this.isRunning && this.process.pid !== undefined) this.process.kill('SIGTERM')
  }

  /** All processes of the container, also those that were started by exec. */
  kill(reason?: string): void {
    this.reason ??= reason
    for (const command of [this.process, ...this.commands]) killTree(command)
  }

  /**
   * Calls the listener with the log from its beginning or a time in milliseconds, and with undefined at its end. Returns a
   * function that ends this.
   */
  readLog(listener: (chunk: Buffer | undefined) => void, since = 0): () => void {
    for (const { at, chunk } of this.log) if (at >= since) listener(chunk)
    if (!this.isRunning) listener(undefined)
    this.logListeners.add(listener)
    return () => this.logListeners.delete(listener)
  }

  private async run(): Promise<void> {
    const closed = once(this.process, 'close')
    try {
      const [code, signal] = (await once(this.process, 'exit')) as [number | null, NodeJS.Signals | null]
      // The first process of a container takes the others with it.
      this.kill()
      await closed
      this.finish(code ?? 128 + (signal === 'SIGTERM' ? 15 : 9))
    } catch {
      // As of a program that the image lacks.
      this.reason = 'ContainerCannotRun'
      this.finish(127, `failed to create shim task: OCI runtime create failed: ${this.startProblem()}`)
    }
  }

  private startProblem(): string {
    const [program = ''] = this.commandLine()
    const why = program.includes('/')
      ? `stat ${program}: no such file or directory`
      : 'executable file not found in $PATH'
    return `runc create failed: unable to start container process: exec: "${program}": ${why}: unknown`
  }

  private finish(exitCode: number, message?: string): void {
    const reason = this.reason ?? (exitCode === 0 ? 'Completed' : 'Error')
    const { startedAt } = this
    const end = { exitCode, reason, startedAt, finishedAt: now(), containerID: `docker://${this.id}` }
    this.end = { ...end, ...(message !== undefined && { message }) }
    for (const listener of this.logListeners) listener(undefined)
  }

  private commandLine(): string[] {
    const { command = [], args = [] } = this.spec
    const line = [...command, ...args].map((text) => expand(text, this.environment()))
    return line.length > 0 ? line : ENTRYPOINT
  }

  private fieldOf(path: string | undefined): string | undefined {
    const { metadata, status } = this.pod
    const fields: Record<string, string | undefined> = {
      'metadata.name': metadata.name,
      'metadata.namespace': metadata.namespace,
      'metadata.uid': metadata.uid,
      'status.podIP': status.podIP,
    }
    return fields[path ?? '']
  }

  private logged(chunk: Buffer): void {
    this.logBytes += chunk.length
    if (this.logBytes <= MAX_LOG) this.log.push({ at: Date.now(), chunk })
    for (const listener of this.logListeners) listener(chunk)
  }
}

/** As the API does in commands: `$(NAME)` is replaced, and `$$` is a dollar. */
function expand(text: string, environment: NodeJS.ProcessEnv): string {
  return text.replace(/\$\$|\$\(([^)]*)\)/g, (found, name?: string) =>
    name === undefined ? '$' : (environment[name] ?? found),
  )
}

/** Kills a process with its descendants, and the others of its group. */
function killTree({ pid }: ChildProcess): void {
  if (pid !== undefined) [...descendantsOf(pid), -pid].forEach(kill)
}

function descendantsOf(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)])
}

/** Empty for a process that has ended. */
function childrenOf(pid: number): number[] {
  try {
    return (readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').match(/\d+/g) ?? []).map(Number)
  } catch {
    return []
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}
