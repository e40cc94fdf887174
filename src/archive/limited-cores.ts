import { availableParallelism } from 'node:os'

import PQueue from 'p-queue'

/** Does one piece of compressing as soon as there is a core for it. */
export type OnCore = <T>(work: () => Promise<T>) => Promise<T>

/**
 * For all that goes into one archive: at most `cores` of its pieces are compressed at a time, and at least one. Without
 * a limit, or with one that the machine cannot reach, as many as the threads of zlib take.
 */
export function limitedCores(cores = Infinity): OnCore {
  if (cores >= availableParallelism()) return (work) => work()
  const queue = new PQueue({ concurrency: Math.max(1, Math.floor(cores)) })
  return (work) => queue.add(work)
}
