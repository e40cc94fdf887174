import type Docker from 'dockerode'

import type { EngineSettings } from '../executor/docker/settings.js'
import type { UsageObserver } from '../executor/docker/usage-observer.js'
import { diskOf } from './disk-space.js'
import type { LruIndex } from './lru-index.js'
import type { Disk } from './usage.js'

/**
 * A Docker engine whose disk may fill up. The client is loaded with the first request, to save memory in idle
 * runners.
 */
export class CleanupEngine {
  private client: Docker | undefined
  private root: string | undefined
  /** Whether the engine ran jobs in this process. If not, it has not used any disk space. */
  hasWorked = false

  constructor(
    private readonly settings: EngineSettings,
    /** The index, which is still being read. Never rejects. */
    readonly index: Promise<LruIndex>,
  ) {}

  /** Throws an `ExecutorError` if the engine cannot be addressed. */
  async docker(): Promise<Docker> {
    const { connectEngine } = await import('../executor/docker/connect-engine.js')
    return (this.client ??= connectEngine(this.settings))
  }

  /**
   * The disk of the engine. Undefined for a remote engine and for one that does not respond or cannot be addressed,
   * because the runner cannot measure these.
   */
  async disk(): Promise<Disk | undefined> {
    if (!(await isLocalEngine(this.settings))) return undefined
    this.root ??= await findDataRoot(() => this.docker())
    return this.root === undefined ? undefined : await diskOf(this.root)
  }

  /**
   * Host paths that containers have mounted. None for an engine on another machine that does not respond, so that one
   * host that is away does not keep this machine from being cleaned: what running jobs use is claimed besides.
   */
  async mountedPaths(): Promise<string[]> {
    try {
      const containers = await (await this.docker()).listContainers({ all: true })
      return containers.flatMap(({ Mounts: mounts }) => mounts.map(({ Source: path }) => path))
    } catch (error) {
      if (await isLocalEngine(this.settings)) throw error
      return []
    }
  }

  readonly observer: UsageObserver = {
    imagePulled: (id, name, wasThere) =>
      void this.index.then((index) => {
        if (!wasThere || index.hasImage(id)) index.imagePulled(id, name)
      }),
    imageUsed: (id) => {
      this.hasWorked = true
      void this.index.then((index) => index.imageUsed(id))
    },
    volumeUsed: (name) => void this.index.then((index) => index.used('volumes', name)),
  }
}

async function isLocalEngine(settings: EngineSettings): Promise<boolean> {
  return (await import('../executor/docker/connect-engine.js')).isEngineLocal(settings)
}

async function findDataRoot(connect: () => Promise<Docker>): Promise<string | undefined> {
  try {
    const docker = await connect()
    const { DockerRootDir: root } = (await docker.info()) as { DockerRootDir?: string }
    return root
  } catch {
    return undefined // the next check may find it; jobs report an unavailable engine themselves
  }
}
