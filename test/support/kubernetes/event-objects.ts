import { now, type ObjectStore, type StoredObject } from './object-store.js'
import type { PodObject } from './pod-objects.js'

/** An event as the API has it (`v1`), as far as this server reads it. */
export interface EventObject extends StoredObject {
  involvedObject: { kind: string; namespace: string; name: string; uid: string }
  reason: string
  message: string
  type: 'Normal' | 'Warning'
  count: number
  firstTimestamp: string
  lastTimestamp: string
}

/** What the parts of a cluster say about pods. */
export class EventRecorder {
  private number = 0

  constructor(private readonly events: ObjectStore<EventObject>) {}

  /** As a kubelet or a controller does: an event that occurs again is counted. */
  record(pod: PodObject, reason: string, message: string, type: EventObject['type'] = 'Warning'): void {
    const { namespace, name, uid } = pod.metadata
    const known = this.events
      .all()
      .find(
        (event) => event.involvedObject.uid === uid && event.reason === reason && event.message === message,
      )
    if (known) {
      this.events.update({ ...known, count: known.count + 1, lastTimestamp: now() })
      return
    }
    this.events.create({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: {
        name: `${name}.${(++this.number).toString(16)}`,
        namespace,
        uid: '',
        resourceVersion: '',
        creationTimestamp: '',
      },
      involvedObject: { kind: 'Pod', namespace, name, uid },
      reason,
      message,
      type,
      count: 1,
      firstTimestamp: now(),
      lastTimestamp: now(),
    })
  }
}
