import type Docker from 'dockerode'

import type { EngineSettings } from '../executor/docker/settings.js'
import type { UsageObserver } from '../executor/docker/usage-observer.js'
import { diskOf } from './disk-space.js'
import type { LruIndex } from './lru-index.js'
import type { Disk } from './usage.js'

/** An engine whose disk may fill up. Its client is loaded when it is asked for the first time: idle runners stay small. */
export class CleanupEngine {
  private client: Promise<{ docker: Docker; isLocal: boolean }> | undefined
  private root: string | undefined
  /** Since this process began: an engine that did nothing has not filled anything. */
  hasWorked = false

  constructor(
    private readonly settings: EngineSettings,
    /** Reading it is under way; it never fails. */
    readonly book: Promise<LruIndex>,
  ) {}

  async docker(): Promise<Docker> {
    return (await this.connect()).docker
  }

  /** Undefined for an engine elsewhere, and for one that is away: it then has no disk that could be full. */
  async disk(): Promise<Disk | undefined> {
    const { docker, isLocal } = await this.connect()
    if (!isLocal) return undefined
    this.root ??= await rootOf(docker)
    return this.root === undefined ? undefined : await diskOf(this.root)
  }

  readonly observer: UsageObserver = {
    imagePulled: (id, name, wasThere) =>
      void this.book.then((book) => {
        if (!wasThere || book.hasImage(id)) book.imagePulled(id, name)
      }),
    imageUsed: (id) => {
      this.hasWorked = true
      void this.book.then((book) => book.imageUsed(id))
    },
    volumeUsed: (name) => void this.book.then((book) => book.used('volumes', name)),
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
    return undefined // the next look may find it; jobs hear of an engine that is away in their own words
  }
}
