import type { Readable } from 'node:stream'

import type Docker from 'dockerode'

import { type Deferred, deferred } from '../../../../lib/deferred.js'
import { linesOf } from '../../../../lib/lines-of.js'
import { openEvents } from '../containers/container-stream.js'

/** Of one event: the labels of the container are in it, and those are of the settings and of the image. */
const MAX_EVENT_BYTES = 4 * 1024 * 1024

interface ContainerEvent {
  /** Such as `die` and `health_status: healthy`. */
  Action?: string
  Actor?: { ID?: string; Attributes?: Record<string, string> }
}

interface Watched {
  exited: Deferred<number>
  health: Deferred<'healthy' | 'unhealthy'>
}

/** What the engine tells of some containers, from before they are started on: nobody has to ask again and again. */
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

  /** Resolves with the exit code; never rejects. */
  exited(containerId: string): Promise<number> {
    return this.of(containerId).exited.promise
  }

  /** The first verdict of the health check; never rejects. */
  health(containerId: string): Promise<'healthy' | 'unhealthy'> {
    return this.of(containerId).health.promise
  }

  /** Resolves when the engine tells nothing more, as when it goes away. */
  get ended(): Promise<void> {
    return this.over.promise
  }

  /** Ends the connection to the engine, whether or not an event is waited for. */
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
      this.stream.destroy() // whoever speaks to the engine next hears what is wrong with it
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
