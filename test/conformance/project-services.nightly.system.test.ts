import { expect, test } from 'vitest'

import { openForFile } from '../support/lifetime.js'
import { runPython } from './support/python.js'
import { refusalOf, Service } from './support/service.js'

const opened = openForFile(() => Service.start())

test('python-gitlab keeps settings, push rules, snippets, wikis, integrations and notification settings', async () => {
  const service = opened()
  const ann = await service.addPerson('ann')
  const given = { url: service.url, token: ann.token, admin: service.root.token }
  expect(await runPython('project_services.py', given)).toEqual({
    settings: { before: 'private', after: 'internal', visibility: 'internal' },
    push_rule: {
      commit: "the message does not match the push rule commit_message_regex '^JIRA-'.",
      changed: 5,
      deleted: { kind: 'GitlabGetError', status: 404, message: '404 Push Rule Not Found' },
    },
    snippet: {
      content: 'print(1)',
      title: 'Better',
      note: 'Nice',
      personal: ['mine'],
      deleted: { kind: 'GitlabGetError', status: 404, message: '404 Snippet Not Found' },
    },
    wiki: {
      slug: 'Setup/First-steps',
      content: '# B',
      listed: ['home', 'First steps'],
      attached: ['a.txt', 'main'],
      found: ['Setup/First-steps.md'],
      deleted: { kind: 'GitlabGetError', status: 404, message: '404 Wiki Page Not Found' },
    },
    integration: { active: ['slack'], channel: '#team', left: [] },
    notifications: { level: 'custom', new_issue: true, global: 'watch' },
  })
})

test('@gitbeaker/rest keeps settings, push rules, snippets, wikis, integrations and notification settings', async () => {
  const service = opened()
  const { gitbeaker: api } = await service.addPerson('bob')
  const project = await api.Projects.create({ name: 'It', initializeWithReadme: true })
  const rule = await api.ProjectPushRules.create(project.id, { commitMessageRegex: '^JIRA-' })
  expect(await api.ProjectPushRules.show(project.id)).toEqual(rule)
  expect(await api.ProjectPushRules.edit(project.id, { maxFileSize: 5 })).toMatchObject({ max_file_size: 5 })
  await api.ProjectPushRules.remove(project.id)
  expect(await refusalOf(api.ProjectPushRules.show(project.id))).toMatchObject({ status: 404 })
  const snippet = await api.ProjectSnippets.create(project.id, 'Notes', {
    files: [{ filePath: 'a.md', content: '# A' }],
    visibility: 'private',
  })
  expect(await api.ProjectSnippets.all(project.id)).toMatchObject([{ id: snippet.id, title: 'Notes' }])
  expect(await api.ProjectSnippets.showContent(project.id, snippet.id)).toBeDefined()
  expect(await api.ProjectSnippets.edit(project.id, snippet.id, { description: 'Better' })).toMatchObject({
    description: 'Better',
  })
  await api.ProjectSnippets.remove(project.id, snippet.id)
  const mine = await api.Snippets.create('mine', { files: [{ filePath: 'a', content: 'a' }] })
  expect(await api.Snippets.show(mine.id)).toMatchObject({ title: 'mine', project_id: null })
  const page = await api.ProjectWikis.create(project.id, '# A', 'Setup/First steps')
  expect(page).toMatchObject({ slug: 'Setup/First-steps', title: 'First steps', encoding: 'UTF-8' })
  await api.ProjectWikis.edit(project.id, page.slug, { content: '# B' })
  const edited = await api.ProjectWikis.edit(project.id, page.slug, { title: 'home' })
  expect(edited).toMatchObject({ slug: 'Setup/home', content: '# B' })
  expect(await api.ProjectWikis.show(project.id, edited.slug, { renderHtml: true })).toMatchObject({
    content: '<h1>B</h1>\n',
  })
  expect(await api.ProjectWikis.all(project.id, { withContent: true })).toEqual([edited])
  const file = { content: new Blob(['a']), filename: 'a.txt' }
  expect(await api.ProjectWikis.uploadAttachment(project.id, file)).toMatchObject({ file_name: 'a.txt' })
  await api.ProjectWikis.remove(project.id, edited.slug)
  expect(await refusalOf(api.ProjectWikis.show(project.id, edited.slug))).toMatchObject({ status: 404 })
  const set = { webhook: 'https://chat.example.com/x', channel: '#team' }
  await api.Integrations.edit(project.id, 'slack', set)
  expect(await api.Integrations.show(project.id, 'slack')).toMatchObject({
    active: true,
    properties: { channel: '#team' },
  })
  expect(await api.Integrations.all(project.id)).toMatchObject([{ slug: 'slack' }])
  await api.Integrations.disable(project.id, 'slack')
  expect(await api.Integrations.all(project.id)).toEqual([])
  await api.NotificationSettings.edit({ level: 'watch' })
  expect(await api.NotificationSettings.show()).toMatchObject({ level: 'watch' })
  await api.NotificationSettings.edit({ projectId: project.id, level: 'custom', newIssue: true })
  expect(await api.NotificationSettings.show({ projectId: project.id })).toMatchObject({
    level: 'custom',
    events: { new_issue: true },
  })
  const { gitbeaker: root } = service.root
  expect(await root.ApplicationSettings.edit({ signInText: 'Hello' })).toMatchObject({
    sign_in_text: 'Hello',
  })
  expect(await root.ApplicationSettings.show()).toMatchObject({ sign_in_text: 'Hello' })
})
