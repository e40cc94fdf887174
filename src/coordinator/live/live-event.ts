import type { LiveEventName, LiveMessages } from './messages.js'
import { nameOf, type TopicKind, type TopicName, type WikiTopic } from './topics.js'

/** An event whose data is serialized once for all its streams. */
export interface LiveEvent extends EventFacts {
  name: LiveEventName
  /** JSON. */
  data: string
}

interface EventFacts {
  /** Kind of the topic that it belongs to, for the metrics; absent for events about the stream itself. */
  kind?: TopicKind
  /** The data is at least as new as this time, in milliseconds since 1970. */
  asOf?: number
  /** Position in a log after the event. */
  position?: { jobId: number; offset: number }
}

export function liveEvent<Name extends LiveEventName>(
  name: Name,
  message: LiveMessages[Name],
  facts: EventFacts = {},
): LiveEvent {
  return { name, data: JSON.stringify(message), ...facts }
}

/** Changes of the topic were left out. */
export function resetOf(topic: TopicName): LiveEvent {
  return liveEvent('reset', { topics: [nameOf(topic)] }, { kind: topic.kind })
}

/** Pages of a wiki have changed. */
export function wikiEvent(topic: WikiTopic): LiveEvent {
  return liveEvent('wiki', { topic: nameOf(topic) }, { kind: topic.kind })
}
