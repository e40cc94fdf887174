import { type ChildProcess, fork, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { dirname } from 'node:path'
import type { Duplex, Readable, Writable } from 'node:stream'

import {
  LAUNCHER_FILE,
  type LauncherRequest,
  type LauncherResponse,
  type LauncherStart,
  type Program,
  type ProgramEnd,
  type RunningProgram,
  startProgram,
  type StreamedProgram,
} from './launcher-process.js'

/** A running program with its streams open. */
export interface ProgramStreams {
  stdin: Writable
  stdout: Readable
  stderr: Readable
  /** The other end of file descriptor 3 of the program; undefined unless it was asked for. */
  channel: Duplex | undefined
  /** Always resolves, when the program has ended and its output is read or destroyed. */
  ended: Promise<StreamedEnd>
  /** Sends SIGTERM, unless the program has ended. */
  stop: () => void
}

export interface StreamedEnd {
  /** Undefined if a signal ended the program, or it did not start. */
  exitCode: number | undefined
  /** Why the program did not start or was stopped. */
  failure?: string | undefined
}

const REMOVE = { recursive: true, force: true }

let isLauncherUsed = false
let launcher: ProgramLauncher | undefined

/**
 * From now on, a small process starts the programs of this one. For processes that start many: to start a program,
 * Linux copies the page tables of the process that starts it, which blocks a coordinator of 300 MB for 8 ms, and the
 * small process for 1 ms.
 */
export function useProgramLauncher(): void {
  isLauncherUsed = true
}

/** Starts a program, here or through the launcher. `ended` always resolves. */
export function launchProgram(program: Program): RunningProgram {
  return isLauncherUsed ? currentLauncher().start(program) : startProgram(program)
}

/** Starts a program with its streams open, here or through the launcher, for data that is too large to buffer. */
export async function streamProgram(program: StreamedProgram): Promise<ProgramStreams> {
  const started = isLauncherUsed ? await currentLauncher().stream(program) : undefined
  return started ?? startWithPipes(program)
}

/** A launcher that was killed is replaced by the next program. */
function currentLauncher(): ProgramLauncher {
  if (!launcher?.isAlive) launcher = new ProgramLauncher()
  return launcher
}

function startWithPipes({ file, args, env, cwd, isGroup, hasChannel }: StreamedProgram): ProgramStreams {
  const channels = hasChannel ? (['pipe'] as const) : []
  const stdio = ['pipe', 'pipe', 'pipe', ...channels] as ['pipe', 'pipe', 'pipe', ...'pipe'[]]
  const child = spawn(file, args, { env, cwd, detached: isGroup, stdio })
  const { stdin, stdout, stderr } = child
  const [, , , channel] = child.stdio
  const ended = new Promise<StreamedEnd>((resolve) => {
    child.once('error', ({ message }) => resolve({ exitCode: undefined, failure: message }))
    child.once('close', (exitCode, signal) =>
      resolve({ exitCode: exitCode ?? undefined, ...(signal && { failure: `it was ended by ${signal}` }) }),
    )
  })
  return {
    stdin,
    stdout,
    stderr,
    ended,
    // A pipe to a process is a socket.
    channel: channel as Duplex | undefined,
    stop: () => void child.kill('SIGTERM'),
  }
}

/** The process that starts programs, seen from its parent. It ends with its parent. */
class ProgramLauncher {
  private readonly process: ChildProcess
  private readonly waiting = new Map<number, (end: ProgramEnd) => void>()
  private lastId = 0
  /** The path of the socket to which the streams of programs connect; undefined if there is none. */
  private readonly socket: Promise<string | undefined>

  constructor() {
    this.process = fork(LAUNCHER_FILE, {
      serialization: 'advanced',
      execArgv: [],
      // Not the folder of this process, which may be removed.
      cwd: '/',
      env: { PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'] },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    this.socket = new Promise((resolve) => {
      this.process.once('message', (start) => {
        const { socket } = start as LauncherStart
        resolve(socket)
        this.process.on('message', (response) => this.finish(response as LauncherResponse))
        // It does so itself, unless it was killed.
        if (socket) this.process.once('disconnect', () => rmSync(dirname(socket), REMOVE))
      })
      this.process.once('disconnect', () => resolve(undefined))
    })
    this.process.on('error', (error) => this.fail(error.message))
    this.process.on('disconnect', () => this.fail('the process that starts programs has ended'))
    this.process.unref()
    this.process.channel?.unref()
  }

  get isAlive(): boolean {
    return this.process.connected
  }

  start(program: Program): RunningProgram {
    const { id, ended } = this.nextProgram()
    this.send({ id, program: { ...program, cwd: program.cwd ?? process.cwd() } })
    return { ended, stop: () => this.send({ id }) }
  }

  /** Undefined if the launcher has no socket. */
  async stream(program: StreamedProgram): Promise<ProgramStreams | undefined> {
    this.process.channel?.ref()
    const path = await this.socket
    if (path === undefined) return undefined
    const { id, ended } = this.nextProgram()
    // The launcher identifies programs by the order of their connections, so no other connection may come between
    // these.
    const [stdin, stdout, stderr] = [this.connection(path), this.connection(path), this.connection(path)]
    const channel = program.hasChannel ? this.connection(path) : undefined
    this.send({ id, streamed: { ...program, cwd: program.cwd ?? process.cwd() } })
    return {
      stdin,
      stdout,
      stderr,
      channel,
      ended: ended.then((end) => afterOutput(end, stdin, [stdout, stderr])),
      stop: () => this.send({ id }),
    }
  }

  private connection(path: string): Socket {
    const socket = connect(path)
    // Without it, the next program would get the wrong streams.
    const onRefused = () => this.process.kill('SIGKILL')
    socket.once('error', onRefused).once('connect', () => socket.off('error', onRefused))
    socket.on('error', () => undefined) // its reader or writer receives the error
    return socket
  }

  private nextProgram(): { id: number; ended: Promise<ProgramEnd> } {
    const id = ++this.lastId
    const ended = new Promise<ProgramEnd>((resolve) => this.waiting.set(id, resolve))
    // It keeps this process alive only while it waits for a program.
    this.process.channel?.ref()
    return { id, ended }
  }

  private send(request: LauncherRequest): void {
    this.process.send(request, (error) => {
      if (error) this.finish({ id: request.id, end: failed(error.message) })
    })
  }

  private finish({ id, end }: LauncherResponse): void {
    this.waiting.get(id)?.(end)
    this.waiting.delete(id)
    if (this.waiting.size === 0) this.process.channel?.unref()
  }

  private fail(reason: string): void {
    for (const id of [...this.waiting.keys()]) this.finish({ id, end: failed(reason) })
  }
}

/** Waits until the output of an ended program is read or destroyed. Output that nobody began to read is dropped. */
async function afterOutput(
  { exitCode, failure }: ProgramEnd,
  stdin: Socket,
  outputs: Socket[],
): Promise<StreamedEnd> {
  stdin.destroy()
  for (const output of outputs) {
    if (output.readableFlowing === null && output.listenerCount('readable') === 0) output.resume()
  }
  await Promise.all(outputs.map(closed))
  return { exitCode, failure }
}

function closed(output: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (output.closed) resolve()
    else output.once('close', () => resolve())
  })
}

function failed(failure: string): ProgramEnd {
  return { exitCode: undefined, stdout: Buffer.of(), stderr: Buffer.of(), failure }
}
