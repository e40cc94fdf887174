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
  /** Whether further requests may read it. */
  isListed: boolean
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
  /** By the request. */
  private readonly shared = new Map<string, Promise<Shared>>()
  /** Those with a file. */
  private readonly open = new Set<Shared>()
  /** Of those that wait for git to start. */
  private readonly starting = new Set<AbortController>()

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
    if (!underWay && !(isKnown && this.hasRoom())) return undefined
    const shared = await (underWay ?? this.share(key, start))
    if (shared.isDeleted) return undefined
    clearTimeout(shared.deletion)
    return shared.output.reader()
  }

  /** Stops git and deletes the responses. */
  async close(): Promise<void> {
    for (const stop of this.starting) stop.abort()
    await Promise.allSettled(this.shared.values())
    for (const shared of [...this.open]) await this.delete(shared)
  }

  private hasRoom(): boolean {
    const bytes = [...this.open].reduce((sum, { output }) => sum + output.size, 0)
    return this.shared.size < MAX_SHARED && bytes < MAX_BYTES
  }

  private share(key: string, start: StartGit): Promise<Shared> {
    const starting = this.start(key, start)
    this.shared.set(key, starting)
    starting.catch(() => this.shared.delete(key))
    return starting
  }

  private async start(key: string, start: StartGit): Promise<Shared> {
    const stop = new AbortController()
    this.starting.add(stop)
    const service = await start(stop.signal).finally(() => this.starting.delete(stop))
    const file = await this.deps.openFile().catch((error: unknown) => {
      stop.abort()
      throw error
    })
    const output = new SpooledOutput(file, () => this.onUnread(shared))
    const shared: Shared = { key, output, stop, isWhole: false, isListed: true, isDeleted: false }
    this.open.add(shared)
    void this.follow(shared, service)
    return shared
  }

  private async follow(shared: Shared, service: RunningService): Promise<void> {
    await shared.output.fill(service.output)
    const { exitCode } = await service.ended
    shared.isWhole = exitCode === 0 && shared.output.isWhole
    // After a failure the next request starts git again. Who reads this response gets what git has said.
    if (!shared.isWhole) this.unlist(shared)
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
    this.unlist(shared)
    shared.stop.abort()
    this.open.delete(shared)
    await shared.output.close()
  }

  /** Another response to the same request may follow. */
  private unlist(shared: Shared): void {
    if (shared.isListed) this.shared.delete(shared.key)
    shared.isListed = false
  }
}
