import { Counter, Gauge, type Registry } from 'prom-client'

import type { TopicKind } from './topics.js'

/** The metrics of live streams. */
export class LiveMetrics {
  private readonly streams: Gauge
  private readonly events: Counter<'topic'>

  constructor(registry: Registry) {
    this.streams = new Gauge({
      name: 'switchyard_live_streams',
      help: 'Open live streams',
      registers: [registry],
    })
    this.events = new Counter({
      name: 'switchyard_live_events_total',
      help: 'Events sent to live streams, by the kind of their topic; control is for hello, reset and refused',
      labelNames: ['topic'],
      registers: [registry],
    })
  }

  setStreams(count: number): void {
    this.streams.set(count)
  }

  /** `topic`: undefined for events about the stream itself. */
  countEvent(topic: TopicKind | undefined): void {
    this.events.inc({ topic: topic ?? 'control' })
  }
}
