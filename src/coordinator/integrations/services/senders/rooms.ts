import { escapeMarkup } from '../../../../lib/escape-markup.js'
import type { Message } from '../describe-event.js'
import { Fields } from '../fields.js'
import { basic, type Settings } from '../settings.js'
import { wantedMessage } from './chat.js'
import { JSON_BODY, type Sender } from './sender.js'

/** Says what happened in the room of this name. */
export const campfire: Sender = {
  send: async (happening) => {
    const message = await wantedMessage(happening)
    if (!message) return []
    const { settings } = happening
    const base = `https://${settings.encoded('subdomain') || 'api'}.campfirenow.com`
    const headers = { ...JSON_BODY, ...basic(settings.text('token'), 'X') }
    const body = JSON.stringify({ message: { type: 'TextMessage', body: formatMessage(message) } })
    return [
      {
        kind: 'lookup',
        url: `${base}/rooms.json`,
        headers,
        follow: (found) => {
          const id = roomIn(found, settings.text('room'))
          if (id === undefined) return []
          return [{ kind: 'request', method: 'POST', url: `${base}/room/${id}/speak.json`, headers, body }]
        },
      },
    ]
  },
}

function roomIn(found: string, name: string): string | undefined {
  const rooms = Fields.parse(found).list('rooms')
  return rooms.find((room) => room.text('name') === name)?.text('id')
}

/** An activity of the branch. */
export const flowdock: Sender = {
  send: async (happening) => {
    const message = await wantedMessage(happening)
    if (!message) return []
    const { event, settings } = happening
    const branch = event.text('ref').replace(/^refs\/heads\//, '')
    const body = {
      flow_token: settings.text('token'),
      event: 'activity',
      author: { name: event.text('user_name'), email: event.text('user_email') || undefined },
      title: message.summary,
      body: htmlLines(message).join('<br/>') || undefined,
      external_thread_id: `${message.project.url}/${branch}`,
      thread: { title: `${message.project.name} ${branch}`, external_url: message.url },
    }
    const url = 'https://api.flowdock.com/messages'
    return [{ kind: 'request', method: 'POST', url, headers: JSON_BODY, body: JSON.stringify(body) }]
  },
}

/** A notification of a room, by version 2 of the API unless the settings name another. */
export const hipchat: Sender = {
  send: async (happening) => {
    const message = await wantedMessage(happening)
    if (!message) return []
    const { settings } = happening
    const base = settings.base('server') || 'https://api.hipchat.com'
    const shown = {
      message: htmlOf(message),
      message_format: 'html',
      color: settings.text('color') || COLORS[message.color],
    }
    const isNotified = settings.flag('notify') === true
    if (settings.text('api_version') === 'v1') return [firstVersion(settings, base, shown, isNotified)]
    return [
      {
        kind: 'request',
        method: 'POST',
        url: `${base}/v2/room/${settings.encoded('room')}/notification`,
        headers: { ...JSON_BODY, Authorization: `Bearer ${settings.text('token')}` },
        body: JSON.stringify({ ...shown, notify: isNotified }),
      },
    ]
  },
}

const COLORS = { good: 'green', warning: 'yellow', danger: 'red', neutral: 'gray' }

function firstVersion(settings: Settings, base: string, shown: Record<string, string>, isNotified: boolean) {
  const form = {
    room_id: settings.text('room'),
    from: 'Switchyard',
    ...shown,
    notify: isNotified ? '1' : '0',
  }
  return {
    kind: 'request',
    method: 'POST',
    url: `${base}/v1/rooms/message?auth_token=${settings.encoded('token')}`,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  } as const
}

/** A message in a room of a Matrix server. */
export const matrix: Sender = {
  send: async (happening) => {
    const message = await wantedMessage(happening)
    if (!message) return []
    const { settings, key } = happening
    const base = settings.base('hostname') || 'https://matrix-client.matrix.org'
    const room = `${base}/_matrix/client/v3/rooms/${settings.encoded('room')}`
    return [
      {
        kind: 'request',
        method: 'PUT',
        // The server takes a transaction once, whatever is repeated.
        url: `${room}/send/m.room.message/${encodeURIComponent(key)}`,
        headers: { ...JSON_BODY, Authorization: `Bearer ${settings.text('token')}` },
        body: JSON.stringify({
          msgtype: 'm.text',
          body: formatMessage(message),
          format: 'org.matrix.custom.html',
          formatted_body: htmlOf(message),
        }),
      },
    ]
  },
}

function formatMessage({ project, summary, url, lines }: Message): string {
  const head = `${project.name}: ${summary}${url === '' ? '' : ` (${url})`}`
  return [head, ...lines.map(({ text, url: to }) => `- ${text}${to === '' ? '' : ` (${to})`}`)].join('\n')
}

function htmlOf(message: Message): string {
  const head = `${anchor({ text: message.project.name, url: message.project.url })}: ${anchor({ text: message.summary, url: message.url })}`
  return [head, ...htmlLines(message)].join('<br/>')
}

function htmlLines({ lines }: Message): string[] {
  return lines.map((line) => `- ${anchor(line)}`)
}

function anchor({ text, url }: { text: string; url: string }): string {
  return url === '' ? escapeMarkup(text) : `<a href="${escapeMarkup(url)}">${escapeMarkup(text)}</a>`
}
