import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

import { type WebSocket, WebSocketServer } from 'ws'

import type { ContainerProcess } from './container-process.js'
import { setTerminalSize, terminalCommand } from './fake-terminal.js'
import { commandFailure, commandStatus, type StatusObject } from './statuses.js'

const CHANNEL = { stdin: 0, stdout: 1, stderr: 2, status: 3, resize: 4, close: 255 }
/** Bytes that may wait for a slow client. */
const MAX_BUFFERED = 256 * 1024

export type ExecProtocol = 'v4.channel.k8s.io' | 'v5.channel.k8s.io'

/** Runs commands in containers for WebSockets. */
export class ExecSockets {
  private readonly server: WebSocketServer
  private readonly open = new Set<WebSocket>()
  /** The newest protocol of this server. */
  protocol: ExecProtocol = 'v5.channel.k8s.io'
  /** Whether pings get no pong, as of a peer that is gone. */
  ignoresPings = false

  constructor() {
    this.server = new WebSocketServer({
      noServer: true,
      autoPong: false,
      handleProtocols: (offered) => [...offered].find((name) => this.speaks(name)) ?? false,
    })
  }

  get count(): number {
    return this.open.size
  }

  accept(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    url: URL,
    container: ContainerProcess,
  ): void {
    this.server.handleUpgrade(request, socket, head, (client) => {
      this.open.add(client)
      client.once('close', () => this.open.delete(client))
      client.on('error', () => client.terminate())
      client.on('ping', (data) => {
        if (!this.ignoresPings) client.pong(data)
      })
      void this.serve(client, url, container)
    })
  }

  /** Ends all connections without a status. Their commands live on, as in a cluster. */
  cut(): void {
    for (const client of this.open) client.terminate()
  }

  private speaks(name: string): boolean {
    return name === 'v4.channel.k8s.io' || name === this.protocol
  }

  private async serve(client: WebSocket, url: URL, container: ContainerProcess): Promise<void> {
    const hasTerminal = url.searchParams.get('tty') === 'true'
    const words = url.searchParams.getAll('command')
    // As the kubelet says that the connection is open.
    client.send(Buffer.of(CHANNEL.stdout))
    // A client with a terminal says its size at once.
    const [first] = hasTerminal ? ((await once(client, 'message')) as [Buffer]) : []
    const command = hasTerminal
      ? container.start(terminalCommand(words), { TERM: 'xterm' })
      : container.start(words)
    this.passInput(client, command, first)
    this.passOutput(client, command)
    const status = await endOf(command)
    client.send(Buffer.concat([Buffer.of(CHANNEL.status), Buffer.from(JSON.stringify(status))]))
    client.close(1000)
  }

  private passInput(client: WebSocket, command: ChildProcess, first: Buffer | undefined): void {
    const { stdin } = command
    // A command that has ended reads nothing.
    stdin?.on('error', () => undefined)
    stdin?.on('drain', () => client.resume())
    const receive = (message: Buffer) => {
      const [channel] = message
      const bytes = message.subarray(1)
      if (channel === CHANNEL.stdin && stdin?.write(bytes) === false) client.pause()
      else if (channel === CHANNEL.close && bytes[0] === CHANNEL.stdin) stdin?.end()
      else if (channel === CHANNEL.resize) void setTerminalSize(command, bytes.toString())
    }
    if (first) receive(first)
    client.on('message', receive)
  }

  private passOutput(client: WebSocket, command: ChildProcess): void {
    for (const [channel, stream] of [
      [CHANNEL.stdout, command.stdout],
      [CHANNEL.stderr, command.stderr],
    ] as const) {
      stream?.on('data', (chunk: Buffer) => {
        client.send(Buffer.concat([Buffer.of(channel), chunk]), () => stream.resume())
        if (client.bufferedAmount > MAX_BUFFERED) stream.pause()
      })
    }
  }
}

async function endOf(command: ChildProcess): Promise<StatusObject> {
  try {
    const [code, signal] = (await once(command, 'close')) as [number | null, NodeJS.Signals | null]
    return commandStatus(code ?? (signal === 'SIGTERM' ? 143 : 137))
  } catch {
    const program = JSON.stringify(command.spawnfile)
    return commandFailure(
      `error executing command in container: failed to exec in container: OCI runtime exec failed: exec failed: unable to start container process: exec: ${program}: executable file not found in $PATH`,
    )
  }
}
