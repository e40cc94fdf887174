import type { User } from '../access/caller.js'
import type { LiveEvent } from './live-event.js'

/** Streams of one user, or of anonymous callers. */
export interface Audience {
  viewer: User | undefined
  publish: (event: LiveEvent) => void
}

/** The open streams, by the key of a topic. */
export interface Audiences {
  /** Whether a stream has this topic. */
  has: (topic: string) => boolean
  /** The streams that have this topic. */
  audiencesOf: (topic: string) => Audience[]
  /** Sends an event once to each stream that has one of these topics. */
  publish: (topics: readonly string[], event: LiveEvent) => void
}
