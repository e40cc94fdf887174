import { Readable } from 'node:stream'

import type Docker from 'dockerode'

import { linesOf } from '../../../../lib/lines-of.js'
import { untilAborted } from '../../../../lib/until-aborted.js'
import type { RegistryAuth } from '../credentials/auth-config.js'
import type { PullWatch } from '../usage-observer.js'

const MILLISECONDS_BETWEEN_LINES = 3000
/** Maximum size of one pull event, which may contain messages of a registry. */
const MAX_EVENT_BYTES = 1024 * 1024

/** Parameters of a pull. */
interface PullOptions {
  auth?: RegistryAuth | undefined
  platform?: string | undefined
}

interface RunningPull {
  done: Promise<void>
  listeners: Set<(line: string) => void>
  abort: AbortController
}

/**
 * Pulls each image once at a time, however many jobs wait for it. The pull is aborted when the last waiting job is.
 * Jobs with other credentials use a pull of their own, which shows whether they have access.
 */
export class SharedPulls {
  private readonly running = new Map<string, RunningPull>()

  constructor(
    private readonly docker: Docker,
    private readonly watch: PullWatch = (_image, pull) => pull(),
  ) {}

  /** Resolves when the engine has the image. `onProgress` receives a line every few seconds. */
  async pull(
    image: string,
    onProgress: (line: string) => void,
    signal: AbortSignal,
    options: PullOptions = {},
  ): Promise<void> {
    signal.throwIfAborted()
    const key = keyOf(image, options)
    const pull = this.running.get(key) ?? this.begin(key, image, options)
    pull.listeners.add(onProgress)
    try {
      await untilAborted(pull.done, signal)
    } finally {
      pull.listeners.delete(onProgress)
      if (pull.listeners.size === 0) this.end(key, pull)
    }
  }

  private begin(key: string, image: string, options: PullOptions): RunningPull {
    const listeners = new Set<(line: string) => void>()
    const abort = new AbortController()
    const done = this.watch(image, () => this.perform(image, options, listeners, abort.signal))
    const pull = { done, listeners, abort }
    this.running.set(key, pull)
    return pull
  }

  private end(key: string, pull: RunningPull): void {
    if (this.running.get(key) === pull) this.running.delete(key)
    pull.abort.abort()
  }

  private async perform(
    image: string,
    { auth, platform }: PullOptions,
    listeners: Set<(line: string) => void>,
    signal: AbortSignal,
  ): Promise<void> {
    const response = await this.docker.pull(image, {
      abortSignal: signal,
      ...(auth ? { authconfig: auth } : {}),
      ...(platform ? { platform } : {}),
    })
    const progress = new PullProgress()
    let lastLine = Date.now()
    for await (const event of eventsOf(Readable.from(response, { signal }))) {
      if (event.error !== undefined) throw new Error(event.error)
      progress.add(event)
      if (Date.now() - lastLine < MILLISECONDS_BETWEEN_LINES) continue
      lastLine = Date.now()
      for (const listener of listeners) listener(progress.summary())
    }
  }
}

/** Yields one JSON object per line. */
async function* eventsOf(response: Readable): AsyncGenerator<PullEvent> {
  for await (const line of linesOf(response, MAX_EVENT_BYTES)) {
    if (line !== '') yield JSON.parse(line) as PullEvent
  }
}

function keyOf(image: string, { auth, platform }: PullOptions): string {
  return JSON.stringify([image, platform ?? '', auth ?? {}])
}

/** One event of the engine during a pull. */
interface PullEvent {
  id?: string
  status?: string
  error?: string
  progressDetail?: { current?: number; total?: number }
}

const MEBIBYTE = 1024 ** 2

/** Summarizes the events of a pull as one readable line. */
export class PullProgress {
  private readonly layers = new Map<string, { current: number; total: number; isDone: boolean }>()

  add(event: PullEvent): void {
    if (!event.id || !event.status) return
    const layer = this.layers.get(event.id) ?? { current: 0, total: 0, isDone: false }
    if (event.status === 'Downloading') {
      layer.current = event.progressDetail?.current ?? layer.current
      layer.total = event.progressDetail?.total ?? layer.total
    } else if (event.status === 'Download complete') {
      layer.current = layer.total
    }
    layer.isDone = event.status === 'Pull complete' || event.status === 'Already exists'
    if (isAboutLayer(event.status)) this.layers.set(event.id, layer)
  }

  /** Progress, for example `3 of 7 layers, 45.2 of 120.4 MiB`. */
  summary(): string {
    const layers = [...this.layers.values()]
    const done = layers.filter((layer) => layer.isDone).length
    const sum = (of: 'current' | 'total') => layers.reduce((total, layer) => total + layer[of], 0) / MEBIBYTE
    return `${done} of ${layers.length} layers, ${sum('current').toFixed(1)} of ${sum('total').toFixed(1)} MiB`
  }
}

/** The first event of a pull has the tag as its ID. */
function isAboutLayer(status: string): boolean {
  return !status.startsWith('Pulling from')
}
