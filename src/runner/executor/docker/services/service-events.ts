import type { Readable } from 'node:stream'

import type Docker from 'dockerode'

import { type Deferred, deferred } from '../../../../lib/deferred.js'
import { linesOf } from '../../../../lib/lines-of.js'
import { openEvents } from '../containers/container-stream.js'

/**
 * Maximum size of one event. It includes the labels of the container, which come from the settings and the image.
 */
const MAX_EVENT_BYTES = 4 * 1024 * 1024

interface ContainerEvent {
  /** For example `die` or `health_status: healthy`. */
  Action?: string
  Actor?: { ID?: string; Attributes?: Record<string, string> }
}

interface Watched {
  exited: Deferred<number>
  health: Deferred<'healthy' | 'unhealthy'>
}

/** Subscribes to the engine's events of some containers before they are started, so that no polling is needed. */
export class ServiceEvents {
  private readonly watched: Map<string, Watched>
  private readonly over = deferred()

  private constructor(
    containerIds: string[],
    private readonly stream: Readable,
  ) {
    this.watched = new Map(containerIds.map((id) => [id, { exited: deferred(), health: deferred() }]))
    void this.follow()
  }

  static async open(docker: Docker, containerIds: string[]): Promise<ServiceEvents> {
    const stream = await openEvents(docker, containerIds, ['die', 'health_status'])
    return new ServiceEvents(containerIds, stream)
  }

  /** Resolves with the exit code. Never rejects. */
  exited(containerId: string): Promise<number> {
    return this.of(containerId).exited.promise
  }

  /** Resolves with the first result of the health check. Never rejects. */
  health(containerId: string): Promise<'healthy' | 'unhealthy'> {
    return this.of(containerId).health.promise
  }

  /** Resolves when there are no more events, for example because the engine became unavailable. */
  get ended(): Promise<void> {
    return this.over.promise
  }

  /** Closes the connection to the engine, even while waiting for an event. */
  close(): void {
    this.stream.destroy()
  }

  private of(containerId: string): Watched {
    const watched = this.watched.get(containerId)
    if (!watched) throw new Error(`Container ${containerId} is not watched`)
    return watched
  }

  private async follow(): Promise<void> {
    try {
      for await (const line of linesOf(this.stream, MAX_EVENT_BYTES)) {
        if (line !== '') this.take(JSON.parse(line) as ContainerEvent)
      }
    } catch {
      this.stream.destroy() // the next request to the engine reports its error
    }
    this.over.resolve()
  }

  private take({ Action: action = '', Actor: actor }: ContainerEvent): void {
    const watched = this.watched.get(actor?.ID ?? '')
    if (action === 'die') watched?.exited.resolve(Number(actor?.Attributes?.['exitCode'] ?? 0))
    if (action.endsWith(': healthy')) watched?.health.resolve('healthy')
    if (action.endsWith(': unhealthy')) watched?.health.resolve('unhealthy')
  }
}
