import { deferred } from './deferred.js'

/**
 * What `work` makes of the items, in the order of the items, while at most `atOnce` of them are worked on or wait to be
 * taken. The first failure ends it. When the taker goes away early, `discard` gets what was made for nothing.
 */
export async function* mapInOrder<T, R>(
  items: Iterable<T> | AsyncIterable<T>,
  atOnce: number,
  work: (item: T) => Promise<R>,
  discard?: (result: R) => Promise<void> | void,
): AsyncGenerator<R> {
  const line = new Line<R>(atOnce)
  void feed(line, items, work)
  try {
    for (;;) {
      const next = await line.take()
      if (!next) return
      yield next.result
    }
  } finally {
    await line.close(discard)
  }
}

/** Never rejects: a failure of the items themselves takes its place in the line. */
async function feed<T, R>(
  line: Line<R>,
  items: Iterable<T> | AsyncIterable<T>,
  work: (item: T) => Promise<R>,
): Promise<void> {
  try {
    for await (const item of items) {
      if (line.isClosed) return
      line.add(work(item))
      await line.untilRoom()
    }
    line.end()
  } catch (error) {
    line.add(Promise.reject(error instanceof Error ? error : new Error(String(error))))
  }
}

/** Results on their way, first come first served. One feeds and one takes. */
class Line<R> {
  private readonly results: Promise<R>[] = []
  private changed = deferred()
  private isEnded = false
  isClosed = false

  constructor(private readonly atOnce: number) {}

  add(result: Promise<R>): void {
    result.catch(() => undefined) // heard of when it is its turn
    this.results.push(result)
    this.wake()
  }

  end(): void {
    this.isEnded = true
    this.wake()
  }

  async untilRoom(): Promise<void> {
    while (this.results.length >= this.atOnce && !this.isClosed) await this.changed.promise
  }

  /** Undefined at the end. */
  async take(): Promise<{ result: R } | undefined> {
    while (this.results[0] === undefined) {
      if (this.isEnded) return undefined
      await this.changed.promise
    }
    const result = await this.results[0]
    void this.results.shift()
    this.wake()
    return { result }
  }

  async close(discard?: (result: R) => Promise<void> | void): Promise<void> {
    this.isClosed = true
    this.wake()
    const results = await Promise.allSettled(this.results)
    for (const result of results) {
      if (result.status === 'fulfilled') await discard?.(result.value)
    }
  }

  private wake(): void {
    const waiting = this.changed
    this.changed = deferred()
    waiting.resolve()
  }
}
