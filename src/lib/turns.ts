/** Maximum requests in one turn, so that a turn does not take long. */
const MAX_PER_TURN = 64

interface Waiting<Request, Result> {
  request: Request
  resolve: (result: Result) => void
  reject: (reason: unknown) => void
}

/**
 * Returns the requests of a turn. Called again, it returns the same ones and those that have arrived since; with a condition,
 * those that do not meet it wait for the next turn.
 */
export type TakeRequests<Request> = (isWanted?: (request: Request) => boolean) => readonly Request[]

/**
 * Serves the requests of a turn: calls `take` once it can begin, and returns a result for each request that `take`
 * returned, in the same order.
 */
export type ServeTurn<Key, Request, Result> = (
  key: Key,
  take: TakeRequests<Request>,
) => Promise<readonly Result[]>

/**
 * Serves requests that arrive at the same time together. Requests of one key wait while a turn runs, and the next turn
 * takes all of them. A request that arrives alone waits for nobody. If a turn for several requests fails, each is served
 * alone, so that one of them cannot fail the others.
 */
export class Turns<Key, Request, Result> {
  private readonly queues = new Map<Key, Waiting<Request, Result>[]>()

  constructor(private readonly serve: ServeTurn<Key, Request, Result>) {}

  /** Rejects with the error of `serve`. */
  ask(key: Key, request: Request): Promise<Result> {
    return new Promise((resolve, reject) => {
      const waiting = { request, resolve, reject }
      const queue = this.queues.get(key)
      if (queue) queue.push(waiting)
      else void this.serveAll(key, [waiting])
    })
  }

  private async serveAll(key: Key, queue: Waiting<Request, Result>[]): Promise<void> {
    this.queues.set(key, queue)
    while (queue.length > 0) await this.serveTurn(key, queue)
    this.queues.delete(key)
  }

  private async serveTurn(key: Key, queue: Waiting<Request, Result>[]): Promise<void> {
    const taken: Waiting<Request, Result>[] = []
    const take: TakeRequests<Request> = (isWanted = () => true) => {
      for (const waiting of queue.splice(0)) {
        const isTaken = taken.length < MAX_PER_TURN && isWanted(waiting.request)
        const list = isTaken ? taken : queue
        list.push(waiting)
      }
      return taken.map(({ request }) => request)
    }
    try {
      const results = await this.serve(key, take)
      taken.forEach(({ resolve }, index) => resolve(results[index] as Result)) // one for each request
    } catch (error) {
      if (taken.length === 0) take()
      const [first, ...others] = taken
      if (others.length === 0) first?.reject(error)
      else await Promise.all(taken.map((waiting) => this.serveAlone(key, waiting)))
    }
  }

  private async serveAlone(key: Key, { request, resolve, reject }: Waiting<Request, Result>): Promise<void> {
    try {
      const [result] = await this.serve(key, () => [request])
      resolve(result as Result) // one for each request
    } catch (error) {
      reject(error)
    }
  }
}
