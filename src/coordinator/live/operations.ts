import type { FastifyRequest } from 'fastify'

import type { Caller } from '../access/caller.js'
import { type ApiError, forbidden, notFound, unauthorized } from '../http/errors.js'
import { type Operation, operation, stream } from '../http/operation.js'
import { OpenRequests } from '../http/rate-limits/open-requests.js'
import { type Cursor, parseCursor } from './cursor.js'
import type { LiveHub } from './live-hub.js'
import type { RefusedTopic } from './messages.js'
import { LiveEvents, LiveParams } from './schema.js'
import { accessToTopic, divideTopics, type TopicAccessDeps } from './topic-access.js'
import { parseTopics } from './topics.js'

export interface LiveOperationsDeps extends TopicAccessDeps {
  live: LiveHub
  /** ID of the build of the pages. */
  build: string
  /** The caller of a request as of now. Throws if its credential is no longer valid. */
  readCaller: (request: FastifyRequest) => Promise<Caller>
  /** Aborts when the coordinator stops. */
  stopping: AbortSignal
}

const HEADERS = {
  'cache-control': 'no-store',
  // nginx would otherwise collect the events before it sends them.
  'x-accel-buffering': 'no',
}

/** Maximum number of open streams of a user, or of an address without a credential, at one coordinator. */
export const STREAMS_PER_CALLER = 100

/** The stream of changes; beyond the reference. */
export function liveOperations(deps: LiveOperationsDeps): Operation[] {
  const counts = new OpenRequests(STREAMS_PER_CALLER, 'live streams')
  deps.stopping.addEventListener('abort', () => deps.live.endStreams(), { once: true })
  return [
    operation('GET /live', {
      summary: 'Stream changes as server-sent events',
      access: 'anyone',
      params: LiveParams,
      responses: { 200: LiveEvents },
      run: async ({ params, caller, request }) => {
        const { granted, refused } = await divideTopics(deps, parseTopics(params.topics), caller)
        const [first] = refused
        if (granted.length === 0 && first) throw refusal(first.status)
        const opened = deps.live.open({
          build: deps.build,
          caller,
          granted,
          refused,
          cursor: cursorOf(request.headers['last-event-id'], params.cursor),
          readCaller: () => deps.readCaller(request),
          accessTo: (topic, now) => accessToTopic(deps, topic, now),
          onClosed: counts.take(caller, request.ip),
        })
        if (deps.stopping.aborted) opened.end()
        return stream(opened.body, 'text/event-stream', HEADERS)
      },
    }),
  ]
}

/** A client that returns by itself repeats its first cursor, and sends the ID of its last event beside it. */
function cursorOf(lastEventId: string | string[] | undefined, cursor = ''): Cursor {
  const given = parseCursor(cursor)
  if (typeof lastEventId !== 'string') return given
  const last = parseCursor(lastEventId)
  return { ...last, time: last.time ?? given.time, offsets: new Map([...given.offsets, ...last.offsets]) }
}

function refusal(status: RefusedTopic['status']): ApiError {
  switch (status) {
    case 401:
      return unauthorized()
    case 403:
      return forbidden()
    case 404:
      return notFound()
  }
}
