import { type ChildProcess, fork } from 'node:child_process'

import {
  LAUNCHER_FILE,
  type LauncherAnswer,
  type LauncherRequest,
  type Program,
  type ProgramEnd,
  type RunningProgram,
  startProgram,
} from './launcher-process.js'

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
  if (!isLauncherUsed) return startProgram(program)
  // A launcher that was killed is replaced by the next program.
  if (!launcher?.isAlive) launcher = new ProgramLauncher()
  return launcher.start(program)
}

/** The process that starts programs, seen from its parent. It ends with its parent. */
class ProgramLauncher {
  private readonly process: ChildProcess
  private readonly waiting = new Map<number, (end: ProgramEnd) => void>()
  private lastId = 0

  constructor() {
    this.process = fork(LAUNCHER_FILE, {
      serialization: 'advanced',
      execArgv: [],
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    this.process.on('message', (answer) => this.finish(answer as LauncherAnswer))
    this.process.on('error', (error) => this.fail(error.message))
    this.process.on('disconnect', () => this.fail('the process that starts programs has ended'))
    this.process.unref()
    this.process.channel?.unref()
  }

  get isAlive(): boolean {
    return this.process.connected
  }

  start(program: Program): RunningProgram {
    const id = ++this.lastId
    const ended = new Promise<ProgramEnd>((resolve) => this.waiting.set(id, resolve))
    // Unless it waits for a program, it does not keep this process alive.
    this.process.channel?.ref()
    this.send({ id, program })
    return { ended, stop: () => this.send({ id }) }
  }

  private send(request: LauncherRequest): void {
    this.process.send(request, (error) => {
      if (error) this.finish({ id: request.id, end: failed(error.message) })
    })
  }

  private finish({ id, end }: LauncherAnswer): void {
    this.waiting.get(id)?.(end)
    this.waiting.delete(id)
    if (this.waiting.size === 0) this.process.channel?.unref()
  }

  private fail(reason: string): void {
    for (const id of [...this.waiting.keys()]) this.finish({ id, end: failed(reason) })
  }
}

function failed(failure: string): ProgramEnd {
  return { exitCode: undefined, stdout: Buffer.of(), stderr: Buffer.of(), failure }
}
