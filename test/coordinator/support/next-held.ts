import { deferred } from '../../../src/lib/deferred.js'
import type { CiCoordinator } from './ci-coordinator.js'

/** Resolves when the next request to come is waiting for a job. */
export function nextHeld({ engine: { queue } }: Pick<CiCoordinator, 'engine'>): Promise<void> {
  const held = deferred()
  const { wait } = queue
  queue.wait = (profile) => {
    queue.wait = wait
    const waiting = queue.wait(profile)
    const { next } = waiting
    waiting.next = (...args) => {
      held.resolve()
      return next.apply(waiting, args)
    }
    return waiting
  }
  return held.promise
}
