import { DISCUSSED, type DiscussedKind } from '../hosting/planned-changes.js'
import { invalidParameters } from '../http/errors.js'

/** A subject whose changes a stream sends. */
export type Topic =
  | { kind: 'project' | 'pipeline' | 'job' | DiscussedKind; id: number }
  /** The log of a job from a byte on. */
  | { kind: 'trace'; id: number; offset: number }
  /** The user of the stream; the ID is 0 until the user is known. */
  | { kind: 'me'; id: number }
  | RunnersTopic
  | PlannedTopic
  | WikiTopic

/** Runners that the instance, a project or a group may use. */
export interface RunnersTopic {
  kind: 'runners'
  of: 'instance' | 'project' | 'group'
  /** ID of the project or group; 0 for the instance. */
  id: number
}

/** All issues or merge requests of a project, or of the projects of a group and its subgroups. */
export interface PlannedTopic {
  kind: 'issues' | 'merge-requests'
  of: 'project' | 'group'
  /** ID of the project or group. */
  id: number
}

/** All pages of the wiki of a project or group. */
export interface WikiTopic {
  kind: 'wiki'
  of: 'project' | 'group'
  /** ID of the project or group. */
  id: number
}

export type TopicKind = Topic['kind']

/** A topic; the offset of a log does not matter. */
export type TopicName = Exclude<Topic, { kind: 'trace' }> | { kind: 'trace'; id: number }

/** Maximum number of topics of one stream. */
export const TOPICS_PER_STREAM = 50

/** The name of the topic without the offset of a log, such as `trace/5`. */
export function nameOf(topic: TopicName): string {
  switch (topic.kind) {
    case 'me':
      return 'me'
    case 'runners':
      return topic.of === 'instance' ? 'runners' : `runners/${topic.of}/${topic.id}`
    case 'issues':
    case 'merge-requests':
    case 'wiki':
      return `${topic.kind}/${topic.of}/${topic.id}`
    default:
      return `${topic.kind}/${topic.id}`
  }
}

/** The key of subscriptions: like the name, but different for each user. */
export function keyOf(topic: TopicName): string {
  return topic.kind === 'me' ? `me/${topic.id}` : nameOf(topic)
}

/** The key of the version of a topic in a cursor; undefined for topics without versions. */
export function cursorKeyOf({ kind, id }: TopicName): string | undefined {
  switch (kind) {
    case 'project':
      return `l${id}`
    case 'pipeline':
      return `p${id}`
    case 'job':
      return `j${id}`
    default:
      return undefined
  }
}

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
  if (text === 'me') return { kind: 'me', id: 0 }
  if (text === 'runners') return { kind: 'runners', of: 'instance', id: 0 }
  const [, list, of, owner] = /^([a-z-]+)\/(project|group)\/(\d{1,15})$/.exec(text) ?? []
  if ((of === 'project' || of === 'group') && isListKind(list)) return { kind: list, of, id: Number(owner) }
  const [, job, offset] = /^trace\/(\d{1,15})\/(\d{1,15})$/.exec(text) ?? []
  if (job !== undefined) return { kind: 'trace', id: Number(job), offset: Number(offset) }
  const [, kind = '', id] = /^([a-z-]+)\/(\d{1,15})$/.exec(text) ?? []
  return isRecordKind(kind) ? { kind, id: Number(id) } : undefined
}

function isRecordKind(kind: string): kind is 'project' | 'pipeline' | 'job' | DiscussedKind {
  return ['project', 'pipeline', 'job'].includes(kind) || isDiscussed(kind)
}

/** Whether a kind is one of a record with comments. */
function isDiscussed(kind: string): kind is DiscussedKind {
  return Object.hasOwn(DISCUSSED, kind)
}

function isListKind(kind = ''): kind is (RunnersTopic | PlannedTopic | WikiTopic)['kind'] {
  return ['runners', 'issues', 'merge-requests', 'wiki'].includes(kind)
}
