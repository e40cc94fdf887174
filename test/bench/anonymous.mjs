import { HOSTILE_REQUESTS } from './hostile-requests.mjs'
import { longestDelays, startObserved } from './observed-coordinator.mjs'

/**
 * For how long a request without credentials keeps everybody else waiting: of each class of endpoints the one that blocks
 * the event loop of the coordinator longest, against an empty request to the same coordinator.
 */
export async function benchAnonymous() {
  const coordinator = await startObserved()
  try {
    return await longestDelays(coordinator, HOSTILE_REQUESTS, 'at most 50 ms')
  } finally {
    await coordinator.stop()
  }
}
