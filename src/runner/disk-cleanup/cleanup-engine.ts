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
  private client: Promise<{ docker: Docker; isLocal: boolean }> | undefined
  private root: string | undefined
  /** Whether the engine ran jobs in this process. If not, it has not used any disk space. */
  hasWorked = false

  constructor(
    private readonly settings: EngineSettings,
    /** The index, which is still being read. Never rejects. */
    readonly index: Promise<LruIndex>,
  ) {}

  async docker(): Promise<Docker> {
    return (await this.connect()).docker
  }

  /**
   * The disk of the engine. Undefined for a remote engine and for one that does not respond, because the runner
   * cannot measure these.
   */
  async disk(): Promise<Disk | undefined> {
    const { docker, isLocal } = await this.connect()
    if (!isLocal) return undefined
    this.root ??= await rootOf(docker)
    return this.root === undefined ? undefined : await diskOf(this.root)
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

  private connect(): Promise<{ docker: Docker; isLocal: boolean }> {
    this.client ??= import('../executor/docker/connect-engine.js').then(
      ({ connectEngine, isEngineLocal }) => ({
        docker: connectEngine(this.settings),
        isLocal: isEngineLocal(this.settings),
      }),
    )
    return this.client
  }
}

async function rootOf(docker: Docker): Promise<string | undefined> {
  try {
    const { DockerRootDir: root } = (await docker.info()) as { DockerRootDir?: string }
    return root
  } catch {
    return undefined // the next check may find it; jobs report an unavailable engine themselves
  }
}
