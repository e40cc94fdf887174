import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { Agent, type AgentOptions, type ClientRequestArgs } from 'node:http'
import { Socket } from 'node:net'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'

import { messageOf } from '../../../../lib/errors.js'
import { pause } from '../../../../lib/pause.js'
import { controlFolder } from './control-folder.js'
import { SpareConnections } from './spare-connections.js'
import { type SshAddress, sshArguments } from './ssh-address.js'
import { SshError } from './ssh-error.js'
import { describeSshProblem } from './ssh-problem.js'

/** Connections without a request, and how long each of them is kept, in milliseconds. */
const POOL: AgentOptions = { keepAlive: true, maxFreeSockets: 4, timeout: 20_000, scheduling: 'lifo' }
/** Of one shared connection. sshd allows 10 unless its settings say otherwise (MaxSessions). */
const MAX_SESSIONS = 8
/** Of what ssh prints. */
const MAX_PRINTED = 4096
/** An event of the agent: see `untilBroken`. */
const BROKEN = Symbol('broken')
/** Milliseconds that ssh may take to end after its connection. */
const END_MILLISECONDS = 1000

/**
 * Connections to an engine by the system's ssh:
 *
 *     HTTP connection ── process `ssh … docker system dial-stdio` ──╮
 *     HTTP connection ── process `ssh … docker system dial-stdio` ──┴── one shared connection of ssh ── machine
 *
 * Connections are kept and used again. A new one needs no handshake of ssh, except for the first, the first after a
 * break, and one for every eight connections at once. Its process has the connection as its standard input and output,
 * so no data passes through this process twice. All processes end when this one ends, however it ends.
 */
export class SshAgent extends Agent {
  private readonly controlPath: string
  /** Number of connections by the shared connection that carries them. */
  private readonly sessions: number[] = []
  private readonly sharing = new Map<number, Promise<void>>()
  private readonly spares = new SpareConnections(
    () => this.connect(),
    () => this.emit(BROKEN),
  )
  private readonly ending = new Set<Promise<void>>()
  private lastProblem: string | undefined

  /** Throws `SshError` if the shared connection can have no socket. */
  constructor(
    private readonly address: SshAddress,
    private readonly keyFile: string | undefined,
  ) {
    super(POOL)
    // Not the process ID: what a killed runner in a container left may have the same.
    this.controlPath = join(controlFolder(), randomBytes(8).toString('hex'))
  }

  /**
   * Resolves when the other side has closed a connection that nothing used, as it does when the engine or the machine goes
   * away, or when `signal` aborts. Needs no connection of its own, which would be another process.
   */
  untilBroken(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        this.off(BROKEN, end)
        signal.removeEventListener('abort', end)
        resolve()
      }
      this.on(BROKEN, end)
      signal.addEventListener('abort', end)
      if (signal.aborted) end()
    })
  }

  override createConnection(
    _options: ClientRequestArgs,
    callback?: (error: Error | null, connection: Duplex) => void,
  ): undefined {
    // The declared callback has a connection even if there is an error.
    const done = callback as ((error: Error | null, connection?: Duplex) => void) | undefined
    this.spares.take().then(
      (connection) => done?.(null, connection),
      (error: unknown) => done?.(error instanceof Error ? error : new SshError(String(error))),
    )
    return undefined
  }

  /** Why a connection has failed just now. Undefined if ssh did not report a problem. */
  async problem(): Promise<string | undefined> {
    const isOver = new AbortController()
    await Promise.race([Promise.all(this.ending), pause(END_MILLISECONDS, isOver.signal)])
    isOver.abort()
    return this.lastProblem
  }

  private async connect(): Promise<Socket> {
    const shared = this.takeSession()
    try {
      await this.share(shared)
    } catch (error) {
      this.releaseSession(shared)
      throw error
    }
    const child = launch(
      'sh',
      ['-c', 'exec ssh "$@" <&3 >&3 3>&-', 'ssh', ...this.argumentsTo('dial', shared)],
      ['ignore', 'ignore', 'pipe', 'pipe'],
    )
    const ended = this.ended(child).then(() => this.releaseSession(shared))
    const connection = child.stdio[3]
    if (!(connection instanceof Socket)) throw new SshError('ssh was started without a connection')
    const expectEnd = () => {
      this.ending.add(ended)
      void ended.then(() => this.ending.delete(ended))
    }
    connection.once('end', expectEnd).once('close', expectEnd)
    connection.once('end', () => (this.isFree(connection) ? this.emit(BROKEN) : undefined))
    return connection
  }

  /** Whether the connection waits for a request. */
  private isFree(connection: Socket): boolean {
    return Object.values(this.freeSockets).some((sockets) => sockets?.includes(connection))
  }

  /** Returns the number of a shared connection with room. */
  private takeSession(): number {
    const free = this.sessions.findIndex((count) => count < MAX_SESSIONS)
    const shared = free === -1 ? this.sessions.length : free
    this.sessions[shared] = (this.sessions[shared] ?? 0) + 1
    return shared
  }

  private releaseSession(shared: number): void {
    this.sessions[shared] = (this.sessions[shared] ?? 1) - 1
  }

  /** Opens a shared connection unless it is open. Throws `SshError`. */
  private async share(shared: number): Promise<void> {
    if (existsSync(this.pathOf(shared))) return
    let opening = this.sharing.get(shared)
    if (!opening) {
      opening = this.openShared(shared).finally(() => this.sharing.delete(shared))
      this.sharing.set(shared, opening)
    }
    await opening
  }

  private async openShared(shared: number): Promise<void> {
    const child = launch('ssh', this.argumentsTo('share', shared), ['ignore', 'ignore', 'pipe'])
    await this.ended(child)
    if (child.exitCode !== 0) throw new SshError(this.lastProblem ?? 'ssh cannot be started')
  }

  private argumentsTo(purpose: 'share' | 'dial', shared: number): string[] {
    const { address, keyFile } = this
    return sshArguments(address, { keyFile, controlPath: this.pathOf(shared) }, purpose)
  }

  private pathOf(shared: number): string {
    return `${this.controlPath}-${shared}`
  }

  /** Resolves when the process has ended. Records why, if it failed. */
  private async ended(child: ChildProcess): Promise<void> {
    let printed = ''
    child.stderr?.on('data', (chunk: Buffer) => (printed = (printed + chunk.toString()).slice(-MAX_PRINTED)))
    try {
      await once(child, 'exit')
      // What it printed may arrive after its end. A shared connection may keep the pipe open.
      if (child.exitCode !== 0) await Promise.race([once(child, 'close'), pause(END_MILLISECONDS / 4)])
      this.lastProblem =
        child.exitCode === 0 ? undefined : describeSshProblem(this.address, printed, child.exitCode)
    } catch (error) {
      this.lastProblem = `ssh cannot be started on this machine: ${messageOf(error)}. Install openssh-client.`
    } finally {
      child.stderr?.destroy()
    }
  }
}

function launch(command: string, args: string[], stdio: StdioOptions): ChildProcess {
  const child = spawn(command, args, { stdio })
  // Only its connection keeps this process running.
  child.unref()
  if (child.stderr instanceof Socket) child.stderr.unref()
  return child
}
