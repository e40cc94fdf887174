import { availableParallelism } from 'node:os'

import PQueue from 'p-queue'

/** Runs one compression as soon as a core is free. */
export type OnCore = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Limits all compression for one archive to `cores` pieces at a time, at least one. Without a limit, or with one
 * above the number of threads, the threads of zlib are the limit.
 */
export function limitedCores(cores = Infinity): OnCore {
  if (cores >= availableParallelism()) return (work) => work()
  const queue = new PQueue({ concurrency: Math.max(1, Math.floor(cores)) })
  return (work) => queue.add(work)
}
