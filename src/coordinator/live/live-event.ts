import type { LiveEventName, LiveMessages } from './messages.js'
import type { TopicKind } from './topics.js'

/** An event whose data is serialized once for all its streams. */
export interface LiveEvent {
  name: LiveEventName
  /** JSON. */
  data: string
  /** Kind of the topic that it belongs to, for the metrics. */
  kind: TopicKind | undefined
  /** The cursor after the event, of those topics that it concerns. */
  progress: readonly (readonly [key: string, version: number])[]
}

export function liveEvent<Name extends LiveEventName>(
  name: Name,
  message: LiveMessages[Name],
  { kind, progress = [] }: Partial<Pick<LiveEvent, 'kind' | 'progress'>> = {},
): LiveEvent {
  return { name, data: JSON.stringify(message), kind, progress }
}
