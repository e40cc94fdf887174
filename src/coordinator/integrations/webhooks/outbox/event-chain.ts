import { AsyncLocalStorage } from 'node:async_hooks'

/** Of the event whose delivery led to the request that is being worked on. */
const chain = new AsyncLocalStorage<string>()

/** Deliveries carry it, and receivers that call back may pass it on (API, K2). */
export const EVENT_UUID_HEADER = 'X-Gitlab-Event-UUID'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Runs `work`, and all that follows from it, as brought about by the event that a request names; as usual if it names none. */
export function inEventChain(uuid: string | string[] | undefined, work: () => void): void {
  if (typeof uuid === 'string' && UUID.test(uuid)) chain.run(uuid.toLowerCase(), work)
  else work()
}

export function currentChain(): string | undefined {
  return chain.getStore()
}
