import { expect, test } from 'vitest'

import { noticeDueIssues } from '../../../../src/coordinator/planning/notifications/notice-due-issues.js'
import { describeOnDatabase, type OpenDatabase } from '../../../support/databases.js'
import { startMailServer } from '../../../support/mail-server.js'
import { testAtNight } from '../../../support/nightly.js'
import { sceneForFile } from '../../../support/scene-for-file.js'
import { sendMails } from '../../support/mail-scene.js'
import { EXTERNAL_URL } from '../../support/test-app.js'
import { openPlanningScene } from '../support/planning-scene.js'

const shared = sceneForFile(openMailServer)

/** A planning scene whose mails arrive at a server on loopback. */
async function openMailScene(open?: OpenDatabase) {
  const scene = await shared(open)
  scene.server.mails.length = 0
  return scene
}

async function openMailServer(open: OpenDatabase) {
  const server = await startMailServer()
  const scene = await openPlanningScene(open, { settings: { mail: server.settings } })
  const mails = sendMails(scene.services, server)
  /** Without the mail about the membership. */
  const person: typeof scene.person = async (...member) => {
    const added = await scene.person(...member)
    await mails.sent()
    return added
  }
  return { ...scene, ...mails, person, server }
}

describeOnDatabase('mails about issues', (open) => {
  test('go to those who are involved, in one thread, and not to who did it', async () => {
    const { P, ok, person, sent, brief } = await openMailScene(open)
    const ada = await person('ada', P, 30)
    const ben = await person('ben', P, 30)
    const cyd = await person('cyd', P, 30)
    await person('dan', P, 30)
    await ok(
      `POST ${P}/issues`,
      { title: 'It <breaks>', description: 'Look, @cyd: **now**', assignee_ids: [ben.id] },
      ada,
    )
    const [toBen, toCyd, ...others] = await sent()
    expect(others).toEqual([])
    expect(toBen).toMatchObject({
      to: 'ben@example.com',
      from: 'ci@example.com',
      fromName: 'ada',
      subject: 'app | It <breaks> (#1)',
      messageId: expect.stringMatching(/^<issue_\d+@/) as string,
      inReplyTo: '',
    })
    expect(toBen?.text).toContain('ada created issue #1:')
    expect(toBen?.text).toContain('Assignees: ben')
    expect(toBen?.text).toContain(`View this issue: ${EXTERNAL_URL}/team/app/-/issues/1`)
    expect(toBen?.text).toContain('because you are assigned.')
    expect(toCyd?.text).toContain('because you are mentioned.')
    expect(toCyd?.html).toContain('<strong>now</strong>')
    expect(toCyd?.headers).toMatchObject({
      'auto-submitted': 'auto-generated',
      'x-gitlab-project-path': 'team/app',
      'x-gitlab-issue-iid': '1',
      'x-gitlab-notificationreason': 'mentioned',
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    })

    await ok(`POST ${P}/issues/1/notes`, { body: 'I see' }, ben)
    const comments = await sent()
    expect(comments.map(({ to }) => to)).toEqual(['ada@example.com', 'cyd@example.com'])
    expect(comments[0]).toMatchObject({
      subject: 'Re: app | It <breaks> (#1)',
      inReplyTo: toBen?.messageId,
      headers: { references: toBen?.messageId },
    })
    await ok(`PUT ${P}/issues/1`, { state_event: 'close' }, cyd)
    expect(await brief()).toEqual(['ada: Re: app | It <breaks> (#1)', 'ben: Re: app | It <breaks> (#1)'])
  })

  testAtNight('follow the notification settings of project, group and user', async () => {
    const { P, G, ok, person, brief } = await openMailScene(open)
    const ada = await person('ada', P, 30)
    const watcher = await person('watcher', P, 30)
    const quiet = await person('quiet', P, 30)
    const mentioned = await person('mentioned', P, 30)
    const custom = await person('custom', P, 30)
    const people = [watcher, quiet, mentioned, custom]
    await ok('PUT /notification_settings', { level: 'watch' }, watcher)
    await ok(`PUT ${P}/notification_settings`, { level: 'disabled' }, quiet)
    await ok(`PUT ${G}/notification_settings`, { level: 'mention' }, mentioned)
    await ok(`PUT ${P}/notification_settings`, { level: 'custom', close_issue: true }, custom)
    await ok(`POST ${P}/issues`, { title: 'a' }, ada)
    expect(await brief()).toEqual(['watcher: app | a (#1)'])
    await ok(`PUT ${P}/issues/1`, { state_event: 'close' }, ada)
    expect(await brief()).toEqual(['custom: Re: app | a (#1)', 'watcher: Re: app | a (#1)'])
    await ok(`POST ${P}/issues`, { title: 'b', assignee_ids: people.map(({ id }) => id) }, ada)
    expect(await brief()).toEqual(['custom: app | b (#2)', 'watcher: app | b (#2)'])
    await ok(`POST ${P}/issues/2/notes`, { body: '@mentioned @quiet' }, ada)
    expect(await brief()).toEqual([
      'custom: Re: app | b (#2)',
      'mentioned: Re: app | b (#2)',
      'watcher: Re: app | b (#2)',
    ])
  })

  test('do not reach those who cannot see what they say', async () => {
    const { P, ok, person, brief } = await openMailScene(open)
    const ada = await person('ada', P, 30)
    const guest = await person('guest', P, 10)
    const reporter = await person('reporter', P, 20)
    for (const user of [guest, reporter]) await ok('PUT /notification_settings', { level: 'watch' }, user)
    await ok(`POST ${P}/issues`, { title: 'a', confidential: true, description: '@guest' }, ada)
    expect(await brief()).toEqual(['reporter: app | a (#1)'])
    await ok(`POST ${P}/issues`, { title: 'b' }, ada)
    await brief()
    await ok(`POST ${P}/issues/2/notes`, { body: '@guest', internal: true }, ada)
    expect(await brief()).toEqual(['reporter: Re: app | b (#2)'])
    await ok(`POST ${P}/issues/2/notes`, { body: 'all' }, ada)
    expect(await brief()).toEqual(['guest: Re: app | b (#2)', 'reporter: Re: app | b (#2)'])
  })
})

testAtNight('the link of a mail unsubscribes its recipient alone; a mention still arrives', async () => {
  const { P, ok, app, person, sent, brief } = await openMailScene()
  const ada = await person('ada', P, 30)
  const ben = await person('ben', P, 30)
  const cyd = await person('cyd', P, 30)
  await ok(`POST ${P}/issues`, { title: 'a', assignee_ids: [ben.id, cyd.id] }, ada)
  const [toBen] = await sent()
  const link = /^<(.*)>$/.exec(toBen?.headers['list-unsubscribe'] ?? '')?.[1] ?? ''
  expect(toBen?.text).toContain(`Unsubscribe: ${link}`)
  const path = link.slice(EXTERNAL_URL.length)
  const page = async (method: 'GET' | 'POST', at = path) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const more = method === 'POST' ? { headers, payload: 'List-Unsubscribe=One-Click' } : {}
    const { statusCode, body } = await app.app.inject({ method, url: at, ...more })
    return [statusCode, /<h1>(.*)<\/h1>/.exec(body)?.[1]]
  }
  expect(await page('GET')).toEqual([200, 'Unsubscribe from issue #1?'])
  await ok(`POST ${P}/issues/1/notes`, { body: 'still' }, ada)
  expect(await brief()).toEqual(['ben: Re: app | a (#1)', 'cyd: Re: app | a (#1)'])

  expect(await page('POST')).toEqual([200, 'You are unsubscribed'])
  expect(await ok(`GET ${P}/issues/1`, undefined, ben)).toMatchObject({ subscribed: false })
  await ok(`POST ${P}/issues/1/notes`, { body: 'gone' }, ada)
  expect(await brief()).toEqual(['cyd: Re: app | a (#1)'])
  await ok(`POST ${P}/issues/1/notes`, { body: '@ben?' }, ada)
  expect(await brief()).toEqual(['ben: Re: app | a (#1)', 'cyd: Re: app | a (#1)'])

  const broken = path.replace(/.(?=\/unsubscribe$)/, (last) => (last === 'A' ? 'B' : 'A'))
  expect(await page('POST', broken)).toEqual([404, 'This link leads nowhere'])
  expect(await page('GET', '/-/sent_notifications/x/unsubscribe')).toEqual([404, 'This link leads nowhere'])
  await ok(`DELETE ${P}/issues/1`)
  expect(await page('POST')).toEqual([404, 'This link leads nowhere'])
})

testAtNight('mails about merge requests say what happened', async () => {
  const { P, ok, person, propose, sent, brief } = await openMailScene()
  const ada = await person('ada', P, 40)
  const ben = await person('ben', P, 40)
  await propose('a', { title: 'Add', reviewer_ids: [ben.id], description: 'Please' }, ada)
  const [first, ...others] = await sent()
  expect(others).toEqual([])
  expect(first).toMatchObject({ to: 'ben@example.com', subject: 'app | Add (!1)' })
  expect(first?.text).toContain('Branches: a to main')
  expect(first?.text).toContain('because you are asked for a review.')
  const lead = async () => (await sent()).map(({ to, text }) => `${to.split('@')[0]}: ${text.split('\n')[0]}`)
  await ok(`PUT ${P}/merge_requests/1`, { assignee_ids: [ada.id] }, ben)
  expect(await lead()).toEqual(['ada: Assignees are now ada (ben).'])
  await ok(`POST ${P}/merge_requests/1/approve`, {}, ben)
  expect(await lead()).toEqual(['ada: ben approved merge request !1.'])
  await ok(`PUT ${P}/merge_requests/1`, { state_event: 'close' }, ada)
  expect(await lead()).toEqual(['ben: ada closed merge request !1.'])
  await ok(`POST ${P}/merge_requests/1/discussions`, { body: 'Why?' }, ben)
  expect(await brief()).toEqual(['ada: Re: app | Add (!1)'])
})

testAtNight('comments that are published together are one mail, without internal ones', async () => {
  const { P, ok, person, propose, sent } = await openMailScene()
  const ada = await person('ada', P, 40)
  const ben = await person('ben', P, 40)
  await propose('a', { title: 'Add' }, ada)
  const M = `${P}/merge_requests/1`
  await ok(`POST ${M}/notes`, { body: 'Secret', internal: true }, ada)
  const discussions = await ok<{ id: string; notes: { internal: boolean }[] }[]>(
    `GET ${M}/discussions`,
    undefined,
    ada,
  )
  const internal = discussions.find(({ notes }) => notes[0]?.internal)?.id
  await sent()
  await ok(`POST ${M}/draft_notes`, { note: '**Bold**' }, ben)
  await ok(`POST ${M}/draft_notes`, { note: 'Hidden', in_reply_to_discussion_id: internal }, ben)
  await ok(`POST ${M}/draft_notes`, { note: '```\nno end' }, ben)
  await ok(`POST ${M}/draft_notes`, { note: 'Last' }, ben)
  expect(await sent()).toEqual([])
  await ok(`POST ${M}/draft_notes/bulk_publish`, undefined, ben)
  const mails = await sent()
  expect(mails.map(({ to }) => to)).toEqual(['ada@example.com', 'ada@example.com'])
  const review = mails.find(({ text }) => text.startsWith('ben commented 3 times:'))
  expect(review?.text).toContain('**Bold**')
  expect(review?.text).not.toContain('Hidden')
  expect(review?.html).toContain('<strong>Bold</strong>')
  expect(review?.html).toContain('<p>Last</p>')
})

test('those who are subscribed to a label get mails about what gets it', async () => {
  const { P, ok, person, sent } = await openMailScene()
  const ada = await person('ada', P, 30)
  const ben = await person('ben', P, 30)
  await ok(`POST ${P}/labels`, { name: 'bug', color: '#ff0000' })
  await ok(`POST ${P}/labels/bug/subscribe`, {}, ben)
  await ok(`POST ${P}/issues`, { title: 'a' }, ada)
  expect(await sent()).toEqual([])
  await ok(`PUT ${P}/issues/1`, { labels: 'bug' }, ada)
  const [mail] = await sent()
  expect(mail?.to).toBe('ben@example.com')
  expect(mail?.text).toContain('ada added labels to issue #1: bug')
})

test('text of users is escaped in HTML', async () => {
  const { P, ok, person, sent } = await openMailScene()
  const ada = await person('ada', P, 30)
  const ben = await person('ben', P, 30)
  const evil = '<script>alert(1)</script><img src=x onerror=alert(1)>[a](javascript:alert(1))'
  await ok(
    `POST ${P}/issues`,
    { title: `a Bcc: x@example.com ${evil}`, description: evil, assignee_ids: [ben.id] },
    ada,
  )
  const mails = await sent()
  expect(mails.map(({ to }) => to)).toEqual(['ben@example.com'])
  expect(mails[0]?.subject).toBe(`app | a Bcc: x@example.com ${evil} (#1)`)
  expect(mails[0]?.headers).not.toHaveProperty('bcc')
  expect(mails[0]?.html).not.toMatch(/<script|<img|href="javascript/)
  expect(mails[0]?.html).toContain('&lt;script&gt;')
})

test('on the day before an issue is due, those who are involved get one mail', async () => {
  const { P, ok, person, database, sent, brief } = await openMailScene()
  const ada = await person('ada', P, 30)
  const ben = await person('ben', P, 30)
  const day = Date.parse('2026-05-01T10:00:00Z')
  await ok(`POST ${P}/issues`, { title: 'a', due_date: '2026-05-02', assignee_ids: [ben.id] }, ada)
  await ok(`POST ${P}/issues`, { title: 'b', due_date: '2026-05-03', assignee_ids: [ben.id] }, ada)
  await sent()
  await Promise.all([noticeDueIssues(database, day), noticeDueIssues(database, day)])
  await noticeDueIssues(database, day + 3_600_000)
  const mails = await sent()
  expect(mails.map(({ to, subject }) => `${to}: ${subject}`)).toEqual([
    'ada@example.com: Re: app | a (#1)',
    'ben@example.com: Re: app | a (#1)',
  ])
  expect(mails[0]?.text).toContain('The issue #1 is due on 2026-05-02.')
  await ok(`PUT ${P}/issues/2`, { state_event: 'close' }, ben)
  await sent()
  await noticeDueIssues(database, day + 24 * 3_600_000)
  expect(await brief()).toEqual([])
})

testAtNight('a project, or a group above it, can disable its mails', async () => {
  const { P, G, ok, person, sent, brief } = await openMailScene()
  const ada = await person('ada', P, 30)
  const ben = await person('ben', P, 30)
  const report = async () => {
    await ok(`POST ${P}/issues`, { title: 'a', assignee_ids: [ben.id] }, ada)
    return (await sent()).length
  }
  await ok(`PUT ${P}`, { emails_disabled: true })
  expect(await report()).toBe(0)
  await ok(`PUT ${P}`, { emails_disabled: false })
  expect(await report()).toBe(1)
  await ok(`PUT ${G}`, { emails_disabled: true })
  expect(await brief()).toEqual([])
  expect(await report()).toBe(0)
})
