import type { Socket } from 'node:net'

import type { Connection, ServerChannel, Session } from 'ssh2'

import { authenticateLfs } from './authenticate-lfs.js'
import { SshAuthenticator } from './authenticate.js'
import { findKeyHolder, fingerprintOf, type KeyHolder } from './find-key.js'
import { serveGit, type SshGitRequest } from './serve-git.js'
import { readLfsCommand, readSshCommand, type SshCommand } from './ssh-command.js'
import type { SshServerDeps, SshTimeouts } from './ssh-server-deps.js'

/** Commands of one connection at a time. */
const MAX_COMMANDS = 10

/** The greeting for the holder of a key. */
function greetedName({ caller, name }: Exclude<KeyHolder, undefined | { refused: unknown }>): string {
  return caller.kind === 'user' ? `@${caller.user.username}` : name
}

/** A client may want no response to a request; the types do not say so. */
function respond(give: (() => unknown) | undefined): void {
  give?.()
}

const GREETING = 'greeting'

const NO_SHELL =
  'This server only serves git: it runs git-upload-pack and git-receive-pack on the path of a project.\n'

/**
 * One client. Requests without a listener here are refused: terminals, environment variables other than `GIT_PROTOCOL`,
 * file transfer, and forwarding of ports, agents and displays.
 */
export class SshConnection {
  /** Called with the name of the holder of the key; false if that one has too many connections. */
  onAuthenticated: (holder: string) => boolean = () => true
  private readonly running = new Set<Promise<void>>()
  private key: Buffer | undefined
  private holder = ''
  private unused: NodeJS.Timeout | undefined
  private isStopping = false

  constructor(
    private readonly deps: SshServerDeps,
    private readonly client: Connection,
    private readonly at: { socket: Socket; address: string; timeouts: SshTimeouts },
  ) {
    const authenticator = new SshAuthenticator({
      keys: deps,
      guard: deps.guardOf(at.address),
      close: () => this.close(),
      accept: (key, holder) => {
        this.key = key
        this.holder = holder
      },
      onError: (error) => deps.logger.error({ err: error }, 'Failed to authenticate an SSH client'),
    })
    client.on('authentication', (attempt) => authenticator.respond(attempt))
    client.on('error', (error) => {
      deps.logger.debug({ err: error }, 'An SSH connection failed')
      this.close()
    })
    client.once('ready', () => {
      if (this.onAuthenticated(this.holder)) this.waitForCommand()
      else this.close()
    })
    client.on('session', (accept, reject) => {
      if (this.running.size >= MAX_COMMANDS || this.isStopping) reject()
      else this.openSession(accept())
    })
    at.socket.once('close', () => clearTimeout(this.unused))
  }

  /** Ends the connection after its commands. */
  async finish(): Promise<void> {
    this.isStopping = true
    await Promise.all(this.running)
    this.close()
  }

  /** Closes the connection, whatever runs. */
  abort(): void {
    this.at.socket.destroy()
  }

  private close(): void {
    this.client.end()
    // A client that does not close its side would keep the connection.
    this.at.socket.destroySoon()
  }

  private openSession(session: Session): void {
    let protocol: string | undefined
    session.on('env', (accept, reject, { key, val }) => {
      if (key !== 'GIT_PROTOCOL') {
        respond(reject)
        return
      }
      protocol = val
      respond(accept)
    })
    session.once('exec', (accept, reject, { command }) => {
      if (this.isStopping || this.running.size >= MAX_COMMANDS) {
        reject()
        return
      }
      start(accept(), command)
    })
    // `ssh -T git@host`: a user tries the key.
    session.once('shell', (accept, reject) => {
      if (this.isStopping || this.running.size >= MAX_COMMANDS) respond(reject)
      else start(accept(), undefined)
    })
    const start = (channel: ServerChannel, command: string | undefined) => {
      const done = this.run(channel, command, protocol).finally(() => {
        this.running.delete(done)
        if (this.running.size === 0) this.waitForCommand()
      })
      this.running.add(done)
      clearTimeout(this.unused)
    }
  }

  /** Never rejects. */
  private async run(
    channel: ServerChannel,
    command: string | undefined,
    protocol: string | undefined,
  ): Promise<void> {
    const gone = new AbortController()
    channel.once('close', () => gone.abort())
    channel.on('error', () => gone.abort())
    const { silent, fetching } = this.at.timeouts
    let watch = this.watchSilence(gone, silent)
    let status = 1
    try {
      status = await this.serve(channel, {
        command,
        protocol,
        signal: gone.signal,
        onBytes: () => watch.refresh(),
        onFetching: () => {
          clearTimeout(watch)
          watch = this.watchSilence(gone, fetching)
        },
      })
    } catch (error) {
      if (!gone.signal.aborted) {
        this.deps.logger.error({ err: error }, 'Failed to serve git over SSH')
        channel.stderr.write('The server failed to respond. Please try again later.\n')
      }
    } finally {
      clearTimeout(watch)
    }
    if (gone.signal.aborted) return
    channel.exit(status)
    channel.end()
    channel.resume()
  }

  private async serve(
    channel: ServerChannel,
    {
      command,
      ...request
    }: { command: string | undefined } & Omit<SshGitRequest, keyof SshCommand | 'caller' | 'channel'>,
  ): Promise<number> {
    const wanted = command === undefined ? GREETING : (readLfsCommand(command) ?? readSshCommand(command))
    // Again for each command: a connection may outlive its key and its user.
    const holder = this.key && (await findKeyHolder(this.deps, this.key))
    if (!wanted || !this.key || !holder || 'refused' in holder) {
      channel.stderr.write(wanted ? 'This key is not accepted any more.\n' : NO_SHELL)
      return 1
    }
    const { caller, userKeyId } = holder
    if (userKeyId !== undefined) this.deps.onKeyUsed?.(userKeyId)
    if (caller.kind === 'user') this.deps.onUsed?.(caller.user.id)
    if (wanted === GREETING) {
      channel.write(`Welcome to Switchyard, ${greetedName(holder)}!\n`)
      return 0
    }
    if ('operation' in wanted) {
      const shown = { caller, channel, fingerprint: fingerprintOf(this.key) }
      return authenticateLfs({ ...this.deps, ...this.deps.largeFiles }, wanted, shown)
    }
    return serveGit(this.deps, { ...request, ...wanted, caller, channel })
  }

  private waitForCommand(): void {
    clearTimeout(this.unused)
    this.unused = setTimeout(() => this.close(), this.at.timeouts.unused)
  }

  /** Gives up a client that neither sends nor reads for long, because it keeps a git process. */
  private watchSilence(gone: AbortController, milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => {
      gone.abort()
      this.close()
    }, milliseconds)
  }
}
