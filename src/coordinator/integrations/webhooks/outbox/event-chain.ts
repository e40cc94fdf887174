import { AsyncLocalStorage } from 'node:async_hooks'

/** UUID of the event whose delivery led to the current request. */
const chain = new AsyncLocalStorage<string>()

/** Deliveries have this header, and receivers may send it back in API calls (API, K2). */
export const EVENT_UUID_HEADER = 'X-Gitlab-Event-UUID'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/**
 * Runs `work`, and the asynchronous work it starts, in the event chain that a request names. Without a valid
 * UUID it runs outside any chain.
 */
export function inEventChain(uuid: string | string[] | undefined, work: () => void): void {
  if (typeof uuid === 'string' && UUID.test(uuid)) chain.run(uuid.toLowerCase(), work)
  else work()
}

export function currentChain(): string | undefined {
  return chain.getStore()
}
