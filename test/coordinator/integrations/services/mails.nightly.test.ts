import { expect, test } from 'vitest'

import type { NewMail } from '../../../../src/coordinator/integrations/mail/mail-content.js'
import {
  emailsOnPush,
  pipelinesEmail,
  recipientsIn,
} from '../../../../src/coordinator/integrations/services/senders/mails.js'
import type { Sender } from '../../../../src/coordinator/integrations/services/senders/sender.js'
import { Settings } from '../../../../src/coordinator/integrations/services/settings.js'
import { describeOnDatabase } from '../../../support/databases.js'
import { startMailServer } from '../../../support/mail-server.js'
import { type Body, happeningOf, openScene } from './scene.js'

const SHA = 'a1b2c3d4'.repeat(5)
const ZEROS = '0'.repeat(40)
const project = {
  id: 7,
  name: 'App',
  path_with_namespace: 'team/app',
  web_url: 'https://ci.example/team/app',
  default_branch: 'main',
}
const push = {
  object_kind: 'push',
  ref: 'refs/heads/topic',
  before: SHA,
  after: SHA,
  user_name: 'Ada',
  user_email: 'ada@example.com',
  project,
  commits: [{ id: SHA, title: 'Fix <it>', message: 'Fix <it>', author: { name: 'Bob' } }],
  total_commits_count: 1,
}
const pipeline = {
  object_kind: 'pipeline',
  project,
  user: { id: 3, name: 'Ada' },
  commit: { title: 'Fix' },
  object_attributes: { id: 5, ref: 'main', status: 'failed', sha: SHA, url: 'https://ci.example/p/5' },
  builds: [
    { id: 1, name: 'lint', status: 'failed', allow_failure: true },
    { id: 2, name: 'test', status: 'failed', allow_failure: false },
  ],
}

async function mailsOf(sender: Sender, event: object, values: Body): Promise<NewMail[]> {
  const messages = await sender.send(happeningOf(event, { recipients: 'x@example.com', ...values }))
  return messages.flatMap((message) => (message.kind === 'mail' ? message.mails : []))
}

const withStatus = (status: string, more: object = {}) => ({
  ...pipeline,
  object_attributes: { ...pipeline.object_attributes, status, ...more },
})

test('a push is described with its commits and the diff', async () => {
  const [mail, ...others] = await mailsOf(emailsOnPush, push, { recipients: 'x@example.com\n y@example.com' })
  expect(others).toHaveLength(1)
  expect(mail).toMatchObject({
    userId: null,
    to: { name: '', address: 'x@example.com' },
    subject: '[team/app] Ada pushed 1 commit to branch topic',
    fromName: 'Ada',
    messageId: 'key-1-0@ci.example',
    headers: { 'X-GitLab-Project-Path': 'team/app' },
  })
  expect(mail?.text).toContain('a1b2c3d4: Fix <it> - Bob\n\nthe diff\n')
  expect(mail?.text).toContain(`https://ci.example/team/app/-/compare/${SHA}...${SHA}`)
  expect(mail?.html).toContain('Fix &lt;it&gt; - Bob')
  const [plain] = await mailsOf(emailsOnPush, push, { disable_diffs: true, send_from_committer_email: true })
  expect(plain?.text).not.toContain('the diff')
  expect(plain?.headers).toMatchObject({ 'Reply-To': 'ada@example.com' })
  const [created] = await mailsOf(emailsOnPush, { ...push, before: ZEROS }, {})
  expect(created?.text).not.toContain('the diff')
  expect(await mailsOf(emailsOnPush, push, { branches_to_be_notified: 'default' })).toEqual([])
})

test('by default, failed pipelines of the default branch are reported', async () => {
  const [mail] = await mailsOf(pipelinesEmail, pipeline, {})
  expect(mail?.subject).toBe('team/app | Failed pipeline for main | a1b2c3d4')
  expect(mail?.text).toContain('Failed: test: https://ci.example/team/app/-/jobs/2')
  expect(mail?.text).not.toContain('lint')
  expect(mail?.text).toContain('\n\ntest:\nend of job 2\n\n')
  const counts = async (event: object, values: Body = {}) =>
    (await mailsOf(pipelinesEmail, event, values)).length
  expect(await counts(withStatus('success'))).toBe(0)
  expect(await counts(withStatus('running'))).toBe(0)
  expect(await counts(withStatus('success'), { notify_only_broken_pipelines: false })).toBe(1)
  expect(await counts(withStatus('failed', { ref: 'topic' }))).toBe(0)
  expect(await counts(withStatus('failed', { ref: 'topic' }), { branches_to_be_notified: 'all' })).toBe(1)
  expect(await counts(withStatus('failed', { ref: 'topic' }), { notify_only_default_branch: false })).toBe(1)
  expect((await mailsOf(pipelinesEmail, pipeline, { add_pusher: true })).map(({ to }) => to.address)).toEqual(
    ['x@example.com', 'user-3@example.com'],
  )
})

test('recipients are addresses, each once, at most 100', () => {
  const of = (recipients: string) => recipientsIn(new Settings({ recipients }))
  expect(of('a@b.c, a@b.c;d@e.f\n<g@h.i> "j"@k.l nobody a@b@c')).toEqual(['a@b.c', 'd@e.f'])
  expect(of(Array.from({ length: 150 }, (_, index) => `u${index}@example.com`).join(' '))).toHaveLength(100)
})

describeOnDatabase('integrations by mail', (open) => {
  test('send mails about pushes over the mail server', async () => {
    const server = await startMailServer()
    const { services, ok, call, P, deliver } = await openScene(open, { settings: { mail: server.settings } })
    await ok(`PUT ${P}/integrations/emails-on-push`, { recipients: 'one@example.com two@example.com' })
    expect(await ok(`GET ${P}/integrations/emails-on-push`)).toMatchObject({
      active: true,
      properties: { recipients: 'one@example.com two@example.com' },
    })
    await ok(`POST ${P}/repository/files/a.txt`, { branch: 'main', content: 'old\n', commit_message: 'Add' })
    await ok(`PUT ${P}/repository/files/a.txt`, {
      branch: 'main',
      content: 'new\n',
      commit_message: 'Change <b>',
    })
    deliver()
    await expect.poll(async () => (await queued()).length).toBe(4)
    const stopping = new AbortController()
    const running = services.mail?.mails.run(stopping.signal)
    const mails = await server.received(4)
    stopping.abort()
    await running
    const changed = mails.filter(({ text }) => text.includes('Change <b>'))
    expect(changed.map(({ to }) => to)).toEqual(['one@example.com', 'two@example.com'])
    expect(changed[0]?.subject).toBe('[ada/app] ada pushed 1 commit to branch main')
    expect(changed[0]?.text).toContain('--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-old\n+new\n')
    expect(changed[0]?.headers['auto-submitted']).toBe('auto-generated')
    expect(await call(`POST ${P}/integrations/emails-on-push/test`)).toEqual([201, {}])

    async function queued() {
      return services.database.selectFrom('mail').select('id').execute()
    }
  })
})

test('without a mail server, the test says so', async () => {
  const { ok, call, P } = await openScene()
  await ok(`PUT ${P}/integrations/emails-on-push`, { recipients: 'one@example.com' })
  expect(await call(`POST ${P}/integrations/emails-on-push/test`)).toEqual([
    422,
    { message: 'This instance sends no mails' },
  ])
})
