import { pMapIterable } from 'p-map'

/**
 * Maps the items with `work` and yields the results in the order of the items. At most `atOnce` results are being
 * computed or waiting to be consumed. The first failure ends the iteration. If the consumer stops early, `discard`
 * receives each result that was computed but not yielded.
 */
export async function* mapInOrder<T, R>(
  items: Iterable<T> | AsyncIterable<T>,
  atOnce: number,
  work: (item: T) => Promise<R>,
  discard?: (result: R) => Promise<void> | void,
): AsyncGenerator<R> {
  const notYielded = new Map<number, Promise<R>>()
  const start = async (item: T, index: number): Promise<{ index: number; result: R }> => {
    const result = work(item)
    notYielded.set(index, result)
    return { index, result: await result }
  }
  try {
    const results = pMapIterable(items, start, { concurrency: atOnce, backpressure: atOnce })
    for await (const { index, result } of results) {
      notYielded.delete(index)
      yield result
    }
  } finally {
    for (const outcome of await Promise.allSettled(notYielded.values())) {
      if (outcome.status === 'fulfilled') await discard?.(outcome.value)
    }
  }
}
