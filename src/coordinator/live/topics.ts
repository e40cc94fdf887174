import { invalidParameters } from '../http/errors.js'

/** A subject whose changes a stream sends. */
export type Topic =
  | { kind: 'project' | 'pipeline' | 'job'; id: number }
  /** The log of a job from a byte on. */
  | { kind: 'trace'; id: number; offset: number }

export type TopicKind = Topic['kind']

type Subject = Pick<Topic, 'kind' | 'id'>

/** Maximum number of topics of one stream. */
export const TOPICS_PER_STREAM = 50

/** The name without the offset of a log, such as `trace/5`: the key of subscriptions. */
export function nameOf({ kind, id }: Subject): string {
  return `${kind}/${id}`
}

/** The key of the topic in a cursor. */
export function cursorKeyOf({ kind, id }: Subject): string {
  return `${CURSOR_PREFIX[kind]}${id}`
}

const CURSOR_PREFIX: Record<TopicKind, string> = { project: 'l', pipeline: 'p', job: 'j', trace: 't' }

/** Reads a list with commas. Throws 400 for an unknown topic and for too many of them. */
export function parseTopics(text: string): Topic[] {
  const topics = new Map<string, Topic>()
  for (const part of text.split(',')) {
    const topic = parseTopic(part.trim())
    if (!topic) throw invalidParameters('topics is invalid')
    topics.set(nameOf(topic), topic)
  }
  if (topics.size > TOPICS_PER_STREAM) {
    throw invalidParameters(`topics has more than ${TOPICS_PER_STREAM} elements`)
  }
  return [...topics.values()]
}

function parseTopic(text: string): Topic | undefined {
  const [, kind, id] = /^(project|pipeline|job)\/(\d{1,15})$/.exec(text) ?? []
  if (kind !== undefined) return { kind: kind as 'project' | 'pipeline' | 'job', id: Number(id) }
  const [, job, offset] = /^trace\/(\d{1,15})\/(\d{1,15})$/.exec(text) ?? []
  return job === undefined ? undefined : { kind: 'trace', id: Number(job), offset: Number(offset) }
}
