import { hash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'

import { LRUCache } from 'lru-cache'

import type { RunningService } from '../git-service.js'
import { SpooledOutput } from './spooled-output.js'

/** Milliseconds for which a response is kept after it was last read. */
const KEEP = 120_000
const MAX_KNOWN = 10_000
/** Responses at a time; each has an open file. */
const MAX_SHARED = 32
/** Bytes of all responses. No further one is shared above it, until others have been deleted. */
const MAX_BYTES = 1024 ** 3

export interface SharedFetchesDeps {
  /** Opens an empty file, which is gone when it is closed. */
  openFile: () => Promise<FileHandle>
}

/** Starts git for a request. It must stop when `signal` aborts. */
export type StartGit = (signal: AbortSignal) => Promise<RunningService>

interface Shared {
  key: string
  output: SpooledOutput
  /** Stops git. */
  stop: AbortController
  /** Whether all of the response is there and it may be read again. */
  isWhole: boolean
  isDeleted: boolean
  deletion?: NodeJS.Timeout
}

/**
 * Responses to requests that many clients send alike: the jobs of a pipeline clone the same commit, and so does everybody
 * after a push. Git packs the objects once for all of them. The first request is served alone, because most clones stay the
 * only one; from the second on, the response is spooled.
 *
 *     first request ──▶ git ──▶ client
 *     second one    ──▶ git ──▶ file ──┬▶ client
 *     further ones  ───────────────────┴▶ clients
 */
export class SharedFetches {
  private readonly known = new LRUCache<string, true>({ max: MAX_KNOWN, ttl: KEEP })
  private readonly shared = new Map<string, Promise<Shared>>()

  constructor(private readonly deps: SharedFetchesDeps) {}

  /**
   * The response to a request that came before; undefined if it must be served alone. Throws what `start` throws.
   * @param parts what the response depends on
   */
  async of(parts: readonly (string | Buffer)[], start: StartGit): Promise<Readable | undefined> {
    const key = hash('sha256', Buffer.concat(parts.flatMap((part) => [Buffer.from(part), Buffer.of(0)])))
    const isKnown = this.known.has(key)
    this.known.set(key, true)
    const underWay = this.shared.get(key)
    if (!underWay && (!isKnown || !(await this.hasRoom()))) return undefined
    const shared = await (underWay ?? this.share(key, start))
    if (shared.isDeleted) return undefined
    clearTimeout(shared.deletion)
    return shared.output.reader()
  }

  /** Stops git and deletes the responses. */
  async close(): Promise<void> {
    for (const shared of [...this.shared.values()]) await this.delete(await shared)
  }

  private async hasRoom(): Promise<boolean> {
    const all = await Promise.all([...this.shared.values()].map(async (shared) => (await shared).output.size))
    return all.length < MAX_SHARED && all.reduce((sum, size) => sum + size, 0) < MAX_BYTES
  }

  private share(key: string, start: StartGit): Promise<Shared> {
    // Another request may have been faster.
    const known = this.shared.get(key)
    if (known) return known
    const starting = this.start(key, start)
    this.shared.set(key, starting)
    starting.catch(() => this.shared.delete(key))
    return starting
  }

  private async start(key: string, start: StartGit): Promise<Shared> {
    const stop = new AbortController()
    const service = await start(stop.signal)
    const file = await this.deps.openFile().catch((error: unknown) => {
      stop.abort()
      throw error
    })
    const output = new SpooledOutput(file, () => this.onUnread(shared))
    const shared: Shared = { key, output, stop, isWhole: false, isDeleted: false }
    void this.follow(shared, service)
    return shared
  }

  private async follow(shared: Shared, service: RunningService): Promise<void> {
    await shared.output.fill(service.output)
    const { exitCode } = await service.ended
    shared.isWhole = exitCode === 0
    // After a failure the next request starts git again. Who reads this response gets what git has said.
    if (!shared.isWhole && !shared.isDeleted) this.shared.delete(shared.key)
    if (!shared.output.isRead) this.onUnread(shared)
  }

  private onUnread(shared: Shared): void {
    if (!shared.isWhole) void this.delete(shared)
    else shared.deletion = setTimeout(() => void this.delete(shared), KEEP).unref()
  }

  private async delete(shared: Shared): Promise<void> {
    if (shared.isDeleted) return
    shared.isDeleted = true
    clearTimeout(shared.deletion)
    this.shared.delete(shared.key)
    shared.stop.abort()
    await shared.output.close()
  }
}
