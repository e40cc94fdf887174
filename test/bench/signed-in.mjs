import { longestDelays, startObserved } from './observed-coordinator.mjs'
import { signedInRequests } from './signed-in-requests.mjs'
import { addSignedInScene } from './signed-in-scene.mjs'

/**
 * For how long a request of a signed-in user keeps everybody else waiting: of each class of operations the one that blocks
 * the event loop of the coordinator longest, against an empty request to the same coordinator.
 */
export async function benchSignedIn() {
  const coordinator = await startObserved()
  try {
    const scene = await addSignedInScene(coordinator.url)
    return await longestDelays(coordinator, signedInRequests(scene), 'at most 100 ms')
  } finally {
    await coordinator.stop()
  }
}
