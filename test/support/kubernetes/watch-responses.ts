import type { ServerResponse } from 'node:http'

import type { StoredObject } from './object-store.js'
import { currentVersion, type ObjectStore } from './object-store.js'
import { RefusedRequest } from './statuses.js'

/** The watches that are open. */
export class WatchResponses {
  /** With the resource that each is about. */
  private readonly open = new Map<ServerResponse, string>()
  /** All that were ever opened. */
  opened = 0

  get count(): number {
    return this.open.size
  }

  countOf(resource: 'pods' | 'events'): number {
    return [...this.open.values()].filter((each) => each === resource).length
  }

  /** Writes the events of the objects that `isSelected`. */
  serve<T extends StoredObject>(
    response: ServerResponse,
    url: URL,
    store: ObjectStore<T>,
    isSelected: (object: T) => boolean,
  ): void {
    this.opened++
    this.open.set(response, url.pathname.split('/').at(-1) ?? '')
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
    const write = (type: string, object: object) =>
      void response.write(`${JSON.stringify({ type, object })}\n`)
    const seconds = Number(url.searchParams.get('timeoutSeconds') ?? 1800)
    const timer = setTimeout(() => response.end(), seconds * 1000)
    let stop: () => void = () => undefined
    response.once('close', () => {
      this.open.delete(response)
      clearTimeout(timer)
      stop()
    })
    try {
      stop = store.watch(Number(url.searchParams.get('resourceVersion') ?? 0), ({ type, object }) => {
        if (isSelected(object)) write(type, object)
      })
    } catch (error) {
      if (!(error instanceof RefusedRequest)) throw error
      write('ERROR', error.status)
      response.end()
    }
  }

  /** Says to all that nothing else has changed, as a real API server does each minute. */
  sendBookmarks(kind = 'Pod'): void {
    const metadata = { resourceVersion: String(currentVersion()), creationTimestamp: null }
    const object = { kind, apiVersion: 'v1', metadata, spec: { containers: null }, status: {} }
    for (const response of this.open.keys())
      response.write(`${JSON.stringify({ type: 'BOOKMARK', object })}\n`)
  }

  /** Ends the connections in the middle of their responses. */
  cut(): void {
    for (const response of this.open.keys()) response.destroy()
  }

  /** Ends the watches as after their `timeoutSeconds`. */
  end(): void {
    for (const response of this.open.keys()) response.end()
  }
}
