import type { Message } from './describe-event.js'

type Values = Readonly<Record<string, unknown>>

const COLORS = { good: '#2da160', warning: '#e9be74', danger: '#dd2b0e', neutral: '#868686' }

/** The body for a chat service, in its own format; `values` are the properties of the integration. */
export function formatMessage(format: ChatFormat, message: Message, values: Values): object {
  return formatters[format](message, values)
}

/** Formats of messages. */
export type ChatFormat =
  | 'slack'
  | 'teams'
  | 'discord'
  | 'text'
  | 'circuit'
  | 'webex'
  | 'telegram'
  | 'pushover'

const formatters: Record<ChatFormat, (message: Message, values: Values) => object> = {
  slack: (message, values) => ({
    text: `${slackLink(message.project)}: ${slackLink({ name: message.summary, url: message.url })}`,
    ...given('username', values['username']),
    ...given('channel', channelOf(message, values)),
    ...(message.lines.length > 0 && {
      attachments: [
        {
          color: COLORS[message.color],
          text: message.lines.map(({ text, url }) => slackLink({ name: text, url })).join('\n'),
        },
      ],
    }),
  }),
  teams: (message) => ({
    '@type': 'MessageCard',
    '@context': 'https://schema.org/extensions',
    summary: message.summary,
    title: message.project.name,
    themeColor: COLORS[message.color].slice(1),
    sections: [
      { activityTitle: markdownLink({ name: message.summary, url: message.url }) },
      ...detailsOf(message),
    ],
  }),
  discord: (message) => ({
    embeds: [
      {
        description: [
          markdownLink({ name: message.summary, url: message.url }),
          ...markdownLines(message),
        ].join('\n'),
        color: Number.parseInt(COLORS[message.color].slice(1), 16),
        author: { name: message.project.name, url: message.project.url },
      },
    ],
  }),
  text: (message) => ({
    text: [
      `<${message.project.url}|${message.project.name}>: ${slackLink({ name: message.summary, url: message.url })}`,
      ...message.lines.map(({ text, url }) => slackLink({ name: text, url })),
    ].join('\n'),
  }),
  circuit: (message) => ({
    subject: message.project.name,
    text: markdownOf(message),
    markdown: true,
  }),
  webex: (message) => ({ markdown: markdownOf(message) }),
  telegram: (message, values) => ({
    chat_id: values['room'],
    ...given('message_thread_id', values['thread']),
    text: markdownOf(message),
    parse_mode: 'markdown',
  }),
  pushover: (message, values) => ({
    token: values['api_key'],
    user: values['user_key'],
    ...given('device', values['device']),
    ...given('sound', values['sound']),
    priority: values['priority'],
    title: message.project.name,
    message: [message.summary, ...message.lines.map(({ text }) => text)].join('\n'),
    url: message.url || message.project.url,
    url_title: `See project ${message.project.name}`,
  }),
}

function given(name: string, value: unknown): object {
  return value === undefined || value === null || value === '' ? {} : { [name]: value }
}

/** The channel of the event, or of all events. */
function channelOf({ channel }: Message, values: Values): unknown {
  const own = channel === undefined ? undefined : values[channel]
  return own === undefined || own === null || own === '' ? values['channel'] : own
}

/** A link in the format of Slack, in which only these three characters have a meaning. */
export function slackLink({ name, url }: { name: string; url: string }): string {
  const text = name.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return url === '' ? text : `<${url}|${text.replaceAll('|', '¦')}>`
}

function markdownLink({ name, url }: { name: string; url: string }): string {
  const text = name.replaceAll(/[[\]\\`*_]/g, '\\$&')
  return url === '' ? text : `[${text}](${url.replaceAll(')', '%29').replaceAll(' ', '%20')})`
}

function markdownLines({ lines }: Message): string[] {
  return lines.map(({ text, url }) => `- ${markdownLink({ name: text, url })}`)
}

function markdownOf(message: Message): string {
  const head = `${markdownLink(message.project)}: ${markdownLink({ name: message.summary, url: message.url })}`
  return [head, ...markdownLines(message)].join('\n')
}

function detailsOf(message: Message): object[] {
  return message.lines.length === 0 ? [] : [{ text: markdownLines(message).join('\n\n') }]
}
