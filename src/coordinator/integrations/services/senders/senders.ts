import type { Format } from '../kinds.js'
import { chat } from './chat.js'
import { bamboo, drone, payload, teamcity } from './ci-servers.js'
import { github } from './github.js'
import { irker } from './irker.js'
import { jira } from './jira.js'
import { emailsOnPush, pipelinesEmail } from './mails.js'
import { asana, assembla, pivotaltracker } from './project-tools.js'
import { campfire, flowdock, hipchat, matrix } from './rooms.js'
import type { Sender } from './sender.js'

export const SENDERS: Record<Format, Sender> = {
  slack: chat('slack'),
  teams: chat('teams'),
  discord: chat('discord'),
  text: chat('text'),
  circuit: chat('circuit'),
  webex: chat('webex'),
  telegram: chat('telegram'),
  pushover: chat('pushover'),
  jenkins: payload,
  buildkite: payload,
  drone,
  teamcity,
  bamboo,
  packagist: {
    send: ({ event }) => [
      {
        kind: 'payload',
        body: JSON.stringify({ repository: { url: event.at('project').text('git_http_url') } }),
      },
    ],
  },
  jira,
  asana,
  assembla,
  pivotaltracker,
  campfire,
  flowdock,
  hipchat,
  matrix,
  irker,
  github,
  'emails-on-push': emailsOnPush,
  'pipelines-email': pipelinesEmail,
}
