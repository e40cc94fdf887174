import type { OutgoingMessage, RequestMessage } from '../../webhooks/deliveries/outgoing-message.js'
import { branchIn, includesBranch } from '../branch-in.js'
import type { Fields } from '../fields.js'
import { type Happening, JSON_BODY, type Sender } from './sender.js'

/** Requests for one event. */
const MAX_REQUESTS = 100

/** The payload of a push, for the source commits of a space. */
export const assembla: Sender = {
  send: ({ event, payload, settings }) => {
    if (event.text('object_kind') !== 'push') return []
    const space = settings.encoded('subdomain')
    const url = `https://atlas.assembla.com/spaces/${space}/github_tool?secret_key=${settings.encoded('token')}`
    return [{ kind: 'request', method: 'POST', url, headers: JSON_BODY, body: `{"payload":${payload}}` }]
  },
}

/** Each commit; Pivotal Tracker looks for stories in their messages. */
export const pivotaltracker: Sender = {
  send: ({ event, settings }) => {
    if (!includesBranch(settings, event)) return []
    return event.list('commits').map((commit) => ({
      kind: 'request',
      method: 'POST',
      url: 'https://www.pivotaltracker.com/services/v5/source_commits',
      headers: { ...JSON_BODY, 'X-TrackerToken': settings.text('token') },
      body: JSON.stringify({
        source_commit: {
          commit_id: commit.text('id'),
          author: commit.at('author').text('name'),
          url: commit.text('url'),
          message: commit.text('message'),
        },
      }),
    }))
  },
}

/** Comments on the tasks that commits name, and completes those that they fix. */
export const asana: Sender = {
  send: (happening) => {
    const { event, settings } = happening
    if (!includesBranch(settings, event)) return []
    const messages = event.list('commits').flatMap((commit) => messagesOf(happening, commit))
    return messages.slice(0, MAX_REQUESTS)
  },
}

/** `#123` and `https://app.asana.com/0/1/123`, with the word before it. */
const TASK = /(?:\b(fix\w*)\W{0,20})?(?:#|https:\/\/app\.asana\.com\/\d+\/\w+\/)(\d+)\b/gi

function messagesOf({ event, settings }: Happening, commit: Fields): OutgoingMessage[] {
  const message = commit.text('message')
  const place = `${branchIn(event) ?? ''} of ${event.at('project').text('path_with_namespace')}`
  const text = `${event.text('user_name')} pushed to branch ${place} ( ${commit.text('url')} ): ${message}`
  return Array.from(message.matchAll(TASK), ([, fix, id = '']): OutgoingMessage => {
    const task = `https://app.asana.com/api/1.0/tasks/${id}`
    const headers = { ...JSON_BODY, Authorization: `Bearer ${settings.text('api_key')}` }
    const write = (method: 'POST' | 'PUT', url: string, data: object): RequestMessage => ({
      ...({ kind: 'request', method, url, headers, body: JSON.stringify({ data }) } as const),
    })
    const story = write('POST', `${task}/stories`, { text })
    const requests = fix === undefined ? [story] : [story, write('PUT', task, { completed: true })]
    // A number may be that of something else than a task.
    return { kind: 'lookup', url: `${task}?opt_fields=completed`, headers, follow: () => requests }
  })
}
