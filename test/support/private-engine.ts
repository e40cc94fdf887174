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

/** A Docker engine that a test may kill. It knows no image, and no network reaches beyond it. */
export class PrivateEngine {
  private process: ChildProcess | undefined

  private constructor(
    private readonly directory: string,
    /** A directory of this machine; the engine sees an empty one in its place. */
    private readonly hidden: string | undefined,
  ) {}

  /** With `hides` it behaves like an engine on another machine, or outside of the runner's container. */
  static async start(options: { hides?: string } = {}): Promise<PrivateEngine> {
    const engine = new PrivateEngine(await tempDir(), options.hides)
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
    const command = this.hidden === undefined ? ['--net', 'dockerd'] : hiding(this.hidden)
    this.process = spawn('unshare', [...command, ...this.options()], { stdio: ['ignore', log, log] })
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
    if (this.hidden === undefined) await execa('umount', [join(this.directory, 'data')])
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
    ]
  }
}

/** Only the engine sees the mounts in its namespace. */
function hiding(directory: string): string[] {
  const script = 'mount -t tmpfs tmpfs "$0" && exec dockerd "$@"'
  return ['--net', '--mount', 'sh', '-c', script, directory]
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
