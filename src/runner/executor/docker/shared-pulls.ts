import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'

import type Docker from 'dockerode'

import { type PullEvent, PullProgress } from './pull-progress.js'

const MILLISECONDS_BETWEEN_LINES = 3000

interface RunningPull {
  done: Promise<void>
  listeners: Set<(line: string) => void>
  abort: AbortController
}

/** Pulls each image once at a time, however many jobs wait for it; the last job to give up ends the pull. */
export class SharedPulls {
  private readonly running = new Map<string, RunningPull>()

  constructor(private readonly docker: Docker) {}

  /** Resolves when the engine has the image. `onProgress` gets a line every few seconds. */
  async pull(image: string, onProgress: (line: string) => void, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const pull = this.running.get(image) ?? this.begin(image)
    pull.listeners.add(onProgress)
    try {
      await untilAborted(pull.done, signal)
    } finally {
      pull.listeners.delete(onProgress)
      if (pull.listeners.size === 0) this.end(image, pull)
    }
  }

  private begin(image: string): RunningPull {
    const listeners = new Set<(line: string) => void>()
    const abort = new AbortController()
    const done = this.perform(image, listeners, abort.signal)
    const pull = { done, listeners, abort }
    this.running.set(image, pull)
    return pull
  }

  private end(image: string, pull: RunningPull): void {
    if (this.running.get(image) === pull) this.running.delete(image)
    pull.abort.abort()
  }

  private async perform(
    image: string,
    listeners: Set<(line: string) => void>,
    signal: AbortSignal,
  ): Promise<void> {
    const answer = await this.docker.pull(image, { abortSignal: signal })
    const progress = new PullProgress()
    let lastLine = Date.now()
    for await (const event of eventsOf(Readable.from(answer, { signal }))) {
      if (event.error !== undefined) throw new Error(event.error)
      progress.add(event)
      if (Date.now() - lastLine < MILLISECONDS_BETWEEN_LINES) continue
      lastLine = Date.now()
      for (const listener of listeners) listener(progress.summary())
    }
  }
}

/** One JSON object a line. */
async function* eventsOf(answer: Readable): AsyncGenerator<PullEvent> {
  for await (const line of createInterface({ input: answer })) {
    if (line !== '') yield JSON.parse(line) as PullEvent
  }
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return await new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error)
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
