import { expect, test } from 'vitest'

import { describeEvent } from '../../../../src/coordinator/integrations/services/describe-event.js'
import { Fields } from '../../../../src/coordinator/integrations/services/fields.js'
import {
  type ChatFormat,
  formatMessage,
} from '../../../../src/coordinator/integrations/services/format-message.js'

const project = { path_with_namespace: 'team/app', web_url: 'https://ci.example/team/app' }
const user = { name: 'Ada' }
const ZEROS = '0'.repeat(40)
const SHA = 'a1b2c3d4'.repeat(5)
const commits = [
  { id: SHA, message: 'Add [x]\n\nmore', url: 'https://ci.example/c', author: { name: 'Bob' } },
]
const push = {
  object_kind: 'push',
  ref: 'refs/heads/main',
  before: SHA,
  after: SHA,
  user_name: 'Ada',
  project,
  commits,
  total_commits_count: 3,
}

test.each([
  [push, 'Ada pushed 3 commits to branch main'],
  [Object.assign({}, push, { before: ZEROS }), 'Ada pushed new branch main'],
  [Object.assign({}, push, { after: ZEROS }), 'Ada removed branch main'],
  [
    Object.assign({}, push, { object_kind: 'tag_push', ref: 'refs/tags/v1', before: ZEROS }),
    'Ada pushed new tag v1',
  ],
  [
    { object_kind: 'issue', user, project, object_attributes: { action: 'close', iid: 4, title: 'T' } },
    'Ada closed issue #4: T',
  ],
  [
    {
      object_kind: 'merge_request',
      user,
      project,
      object_attributes: { action: 'merge', iid: 5, title: 'T' },
    },
    'Ada merged merge request !5: T',
  ],
  [
    { object_kind: 'note', user, project, issue: { iid: 4 }, object_attributes: { noteable_type: 'Issue' } },
    'Ada commented on issue #4',
  ],
  [
    { object_kind: 'pipeline', user, project, object_attributes: { id: 7, ref: 'main', status: 'failed' } },
    'Pipeline #7 of branch main by Ada has failed',
  ],
  [
    { object_kind: 'build', project, build_name: 'test', ref: 'main', build_status: 'success' },
    'Job test of main has passed',
  ],
  [
    { object_kind: 'deployment', project, environment: 'prod', status: 'success' },
    'Deployment to prod: success',
  ],
  [
    { object_kind: 'wiki_page', user, project, object_attributes: { title: 'home', action: 'delete' } },
    'Ada deleted wiki page home',
  ],
  [{ object_kind: 'release', project, name: 'v1', action: 'create' }, 'Release v1: create'],
])('an event is described: %#', (payload, summary) => {
  expect(describeEvent(new Fields(payload))?.summary).toBe(summary)
})

test('what is not finished, and what is not known, gives no message', () => {
  const running = { object_kind: 'pipeline', user, project, object_attributes: { id: 7, status: 'running' } }
  for (const payload of [running, { object_kind: 'other' }, {}, null, 'text']) {
    expect(describeEvent(new Fields(payload))).toBeUndefined()
  }
})

const LINK = 'https://ci.example/team/app/-/tree/main'
const MARKDOWN =
  `[team/app](https://ci.example/team/app): [Ada pushed 3 commits to branch main](${LINK})\n` +
  '- [a1b2c3d4: Add \\[x\\] - Bob](https://ci.example/c)'

test.each<[ChatFormat, Record<string, unknown>, object]>([
  [
    'slack',
    {},
    {
      text: `<https://ci.example/team/app|team/app>: <${LINK}|Ada pushed 3 commits to branch main>`,
      attachments: [{ color: '#868686', text: '<https://ci.example/c|a1b2c3d4: Add [x] - Bob>' }],
    },
  ],
  [
    'teams',
    {},
    {
      '@type': 'MessageCard',
      '@context': 'https://schema.org/extensions',
      summary: 'Ada pushed 3 commits to branch main',
      title: 'team/app',
      themeColor: '868686',
      sections: [
        { activityTitle: `[Ada pushed 3 commits to branch main](${LINK})` },
        { text: '- [a1b2c3d4: Add \\[x\\] - Bob](https://ci.example/c)' },
      ],
    },
  ],
  [
    'discord',
    {},
    {
      embeds: [
        {
          description: MARKDOWN.slice(MARKDOWN.indexOf(': ') + 2),
          color: 0x868686,
          author: { name: 'team/app', url: 'https://ci.example/team/app' },
        },
      ],
    },
  ],
  [
    'text',
    {},
    {
      text:
        `<https://ci.example/team/app|team/app>: <${LINK}|Ada pushed 3 commits to branch main>\n` +
        '<https://ci.example/c|a1b2c3d4: Add [x] - Bob>',
    },
  ],
  ['circuit', {}, { subject: 'team/app', text: MARKDOWN, markdown: true }],
  ['webex', {}, { markdown: MARKDOWN }],
  [
    'telegram',
    { room: '-5', thread: 3 },
    { chat_id: '-5', message_thread_id: 3, text: MARKDOWN, parse_mode: 'markdown' },
  ],
  [
    'pushover',
    { api_key: 'a', user_key: 'u', priority: '1' },
    {
      token: 'a',
      user: 'u',
      priority: '1',
      title: 'team/app',
      message: 'Ada pushed 3 commits to branch main\na1b2c3d4: Add [x] - Bob',
      url: LINK,
      url_title: 'See project team/app',
    },
  ],
])('a push is a message in the format %s', (format, values, body) => {
  const message = describeEvent(new Fields(push))
  expect(message && formatMessage(format, message, values)).toEqual(body)
})
