import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

import Docker from 'dockerode'
import { execa } from 'execa'

import { onFinished } from './lifetime.js'
import { tempDir } from './temp-dir.js'

/** Whether this machine can run a second engine. */
export const canStartEngine = process.getuid?.() === 0 && existsSync('/usr/sbin/dockerd')

export interface PrivateEngineSettings {
  /**
   * A directory of this machine; the engine sees an empty one in its place. So it behaves like an engine on another
   * machine, or outside of the runner's container.
   */
  hides?: string
  /** The network namespace of its machine. Absent: one of its own. */
  namespace?: string
  /** Listens on the address too, for clients with a certificate of the authority in the folder. */
  tls?: { address: string; folder: string }
  /** Bytes for its images and containers. Absent: those of the disk. Needs `hides`. */
  bytes?: number
}

/** A Docker engine that a test may kill. It knows no image, and no network reaches beyond it. */
export class PrivateEngine {
  private process: ChildProcess | undefined

  private constructor(
    private readonly directory: string,
    private readonly settings: PrivateEngineSettings,
  ) {}

  static async start(settings: PrivateEngineSettings = {}): Promise<PrivateEngine> {
    const engine = new PrivateEngine(await tempDir(), settings)
    await engine.start()
    onFinished(() => engine.stop())
    return engine
  }

  get host(): string {
    return `unix://${join(this.directory, 'docker.sock')}`
  }

  get docker(): Docker {
    return new Docker({ socketPath: join(this.directory, 'docker.sock') })
  }

  /** Starts or restarts the engine, and waits until it responds. */
  async start(): Promise<void> {
    await rm(join(this.directory, 'pid'), { force: true })
    const log = openSync(join(this.directory, 'log'), 'a')
    // In a separate network namespace: an engine without a bridge removes that of the machine's engine.
    const [program = '', ...args] = [...this.command(), ...this.options()]
    this.process = spawn(program, args, { stdio: ['ignore', log, log] })
    while (!(await responds(this.docker))) {
      if (this.process.exitCode !== null) throw new Error(`dockerd ended: ${await this.lastWords()}`)
    }
  }

  /** Copies an image of the machine's own engine. */
  async take(image: string): Promise<void> {
    const response = await this.docker.loadImage(await new Docker().getImage(image).get())
    response.resume()
    await once(response, 'end')
  }

  /** Stops its process where it is, or lets it continue. */
  freeze(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.process?.kill(signal)
  }

  /** A path below its data folder, while it does not run. */
  onDisk(...path: string[]): string {
    return join(this.directory, 'data', ...path)
  }

  /** A path below its data folder, as the engine sees it. */
  inside(...path: string[]): string {
    return join('/proc', String(this.process?.pid), 'root', this.directory, 'data', ...path)
  }

  async kill(): Promise<void> {
    const containerd = (await readFile(join(this.directory, 'exec/containerd/containerd.pid'), 'utf8')).trim()
    await this.end('SIGKILL')
    // It ends with its parent. An engine that starts earlier depends on it.
    while (existsSync(`/proc/${containerd}`)) await shortPause()
  }

  private async stop(): Promise<void> {
    if (this.process?.exitCode !== null || this.process.signalCode !== null) await this.start()
    await this.end('SIGTERM')
    // The engine mounts its directory over itself, where others may see it.
    if (this.settings.hides === undefined) await execa('umount', [join(this.directory, 'data')])
  }

  /** What starts dockerd: each program replaces the one before, so the process of the engine is the one that is started. */
  private command(): string[] {
    const { namespace, hides, bytes } = this.settings
    const network =
      namespace === undefined ? ['unshare', '--net'] : ['nsenter', `--net=/run/netns/${namespace}`]
    if (hides === undefined) return [...network, 'dockerd']
    // Only the engine sees the mounts in its namespace.
    const data = join(this.directory, 'data')
    const limit =
      bytes === undefined ? '' : `mkdir -p ${data} && mount -t tmpfs -o size=${bytes} tmpfs ${data} && `
    const script = `mount -t tmpfs tmpfs "$0" && ${limit}exec dockerd "$@"`
    return [...network, 'unshare', '--mount', 'sh', '-c', script, hides]
  }

  private async lastWords(): Promise<string> {
    return (await readFile(join(this.directory, 'log'), 'utf8')).slice(-2000)
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    if (!this.process) return
    const ended = once(this.process, 'exit')
    this.process.kill(signal)
    await ended
  }

  private tlsOptions(): string[] {
    const { tls } = this.settings
    if (!tls) return []
    const file = (name: string) => join(tls.folder, name)
    return [
      ...['--host', `tcp://${tls.address}:2376`, '--tlsverify'],
      ...['--tlscacert', file('ca.pem'), '--tlscert', file('cert.pem'), '--tlskey', file('key.pem')],
    ]
  }

  private options(): string[] {
    const inside = (name: string) => join(this.directory, name)
    return [
      '--data-root',
      inside('data'),
      '--exec-root',
      inside('exec'),
      '--pidfile',
      inside('pid'),
      '--host',
      this.host,
      '--bridge',
      'none',
      '--iptables=false',
      '--ip-masq=false',
      ...this.tlsOptions(),
    ]
  }
}

async function responds(docker: Docker): Promise<boolean> {
  try {
    await docker.ping()
    return true
  } catch {
    await shortPause()
    return false
  }
}

/** The other process sends no event when it is done, so this polls. */
async function shortPause(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 50))
}
