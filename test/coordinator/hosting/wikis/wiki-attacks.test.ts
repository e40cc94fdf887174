import { Readable } from 'node:stream'

import { expect, test } from 'vitest'

import { attachFile, wikiFile } from '../../../../src/coordinator/hosting/wikis/attach-file.js'
import { createPage, editPage, requireWikiPage } from '../../../../src/coordinator/hosting/wikis/wikis.js'
import { UploadedFile } from '../../../../src/coordinator/http/parameters/types.js'
import { runGit } from '../../../../src/git/run-git.js'
import { openSqlite } from '../../../support/databases.js'
import { commit, git, gitOk, workTree } from '../../../support/git-client.js'
import { sampled, testAtNight } from '../../../support/nightly.js'
import { openPlanningScene } from '../../planning/support/planning-scene.js'
import { gitServerForFile } from '../repositories/git-server.js'

const startGitServer = gitServerForFile()

const LIVE = new AbortController().signal

async function openWiki() {
  const server = await startGitServer()
  const { services, owner, project } = server
  const writer = { owner: project, user: owner, signal: LIVE }
  const files = async () =>
    (
      await runGit([
        ...['--git-dir', services.wikiRepositories.path(project.id)],
        ...['ls-tree', '-r', '-z', '--name-only', 'main'],
      ])
    )
      .split('\0')
      .filter(Boolean)
  const add = (title: string, content = 'x') => createPage(services, writer, { title, content })
  return { ...server, writer, files, add }
}

const TITLES = [
  ['../../../etc/passwd', 'etc/passwd.md'],
  ['a/../../b', 'b.md'],
  ['--output=x', '--output=x.md'],
  ['/etc/passwd', 'etc/passwd.md'],
  ['<script>alert(1)</script>', '<script>alert(1)<', 'script>.md'],
  ['./.././c', 'c.md'],
  [':(glob)*', ':(glob)*.md'],
  ['a\\..\\b', 'a\\..\\b.md'],
] as const

test.each(sampled(TITLES, 4))('the title %s names a file within the wiki', async (title, ...path) => {
  const { add, files } = await openWiki()
  await add(title)
  expect(await files()).toEqual([path.join('/')])
})

test.each(sampled(['..', '/', ' / ', './..'], 2))('the title "%s" names no page', async (title) => {
  const { add } = await openWiki()
  await expect(add(title)).rejects.toMatchObject({
    status: 400,
    body: { message: { title: ["can't be blank"] } },
  })
})

const REFUSED_TITLES = [
  'a\0b',
  'a\u0007b',
  '.git/hooks/post-update',
  '\u001b[2J',
  'git~1/config',
  'a/.GIT/config',
]

test.each(sampled(REFUSED_TITLES, 3))('the title %j is refused', async (title) => {
  const { add, writer, services } = await openWiki()
  await expect(add(title)).rejects.toMatchObject({ status: 400 })
  await add('home')
  await expect(editPage(services, writer, 'home', { title })).rejects.toMatchObject({ status: 400 })
})

test('names that file systems do not hold are refused, and the longest are kept', async () => {
  const { add, files } = await openWiki()
  const tooLong = (title: string, problem: string) =>
    expect(add(title)).rejects.toMatchObject({
      body: { message: { title: [expect.stringContaining(problem) as string] } },
    })
  await tooLong('é'.repeat(123), 'exceeds the limit of 245 bytes')
  await tooLong(`${'d'.repeat(256)}/a`, 'exceeds the limit of 255 bytes for directory name')
  const longest = `${'d'.repeat(255)}/${'a'.repeat(245)}`
  await add(longest)
  expect(await files()).toEqual([`${longest}.md`])
})

test.each(sampled(['../../etc/passwd', '../home', '.git/config', 'home.md', 'home\0', '*', '', 'home~1'], 4))(
  'the slug %j finds no page but those of the wiki',
  async (slug) => {
    const { add, services, project } = await openWiki()
    await add('start')
    await expect(requireWikiPage(services, project.id, { slug }, LIVE)).rejects.toMatchObject({ status: 404 })
  },
)

const ATTACHMENTS = [
  ['../../../etc/cron.d/x', 'x'],
  ['..\\..\\x.png', 'x.png'],
  ['.gitattributes', '_gitattributes'],
  ['<img src=x>.png', '_img_src_x_.png'],
  ['a](javascript:x).png', 'a__javascript_x_.png'],
] as const

test.each(sampled(ATTACHMENTS, 3))('the attachment %s is kept below its folder as %s', async (name, kept) => {
  const { writer, services, files } = await openWiki()
  const spooled = { size: 1, open: () => Readable.from([Buffer.from('a')]), remove: async () => undefined }
  const file = new UploadedFile(name, 'image/png', spooled)
  const attached = await attachFile(services, writer, file)
  expect(attached.file_name).toBe(kept)
  expect(attached.file_path).toMatch(/^uploads\/[0-9a-f]{32}\/[^/]+$/)
  expect(attached.link.markdown).toBe(`[${kept}](${attached.link.url})`)
  expect(await files()).toEqual([attached.file_path])
})

testAtNight('an attachment that is called like a page is none', async () => {
  const { writer, services, project } = await openWiki()
  const spooled = { size: 1, open: () => Readable.from([Buffer.from('a')]), remove: async () => undefined }
  const { file_path } = await attachFile(services, writer, new UploadedFile('home.md', '', spooled))
  const slug = file_path.replace(/\.md$/, '')
  await expect(requireWikiPage(services, project.id, { slug }, LIVE)).rejects.toMatchObject({ status: 404 })
})

test('a file of a wiki is sent as what runs nothing, and only one that is in it', async () => {
  const { writer, services, project } = await openWiki()
  const content = Buffer.from('<script>alert(1)</script>')
  const spooled = {
    size: content.length,
    open: () => Readable.from([content]),
    remove: async () => undefined,
  }
  const { file_path } = await attachFile(services, writer, new UploadedFile('a.html', 'text/html', spooled))
  expect(await wikiFile(services, project.id, file_path, LIVE)).toMatchObject({
    contentType: 'text/plain',
    headers: { 'x-content-type-options': 'nosniff' },
  })
  for (const path of ['../HEAD', 'uploads', '.git/config', 'a\0b'])
    await expect(wikiFile(services, project.id, path, LIVE)).rejects.toMatchObject({ status: 404 })
})

test('an attachment above the limit of the instance is refused', async () => {
  const { writer, services, database } = await openWiki()
  await database
    .insertInto('application_setting')
    .values({ name: 'max_attachment_size', value: '1', value_encrypted: null, updated_at: 0 })
    .execute()
  const spooled = {
    size: 1024 * 1024 + 1,
    open: () => Readable.from([Buffer.alloc(1024 * 1024 + 1)]),
    remove: async () => undefined,
  }
  const attaching = attachFile(services, writer, new UploadedFile('a', '', spooled))
  await expect(attaching).rejects.toMatchObject({ status: 413 })
})

testAtNight('a huge page is refused by the API, and not shown when git pushes it', async () => {
  const scene = await openPlanningScene(openSqlite)
  const W = `/projects/${scene.project}/wikis`
  const large = { title: 'home', content: 'x'.repeat(5 * 1024 * 1024 + 1) }
  expect(await scene.call(`POST ${W}`, large)).toEqual([
    400,
    { message: { content: ['is too long (5.00 MB). The maximum size is 5 MB.'] } },
  ])
  expect((await scene.call(`POST ${W}`, { ...large, content: large.content.slice(1) }))[0]).toBe(201)
  const tree = await workTree({ 'huge.md': 'x'.repeat(17 * 1024 * 1024), 'home.md': 'a' })
  await gitOk(
    tree,
    ...['push', '--quiet', '--force', scene.services.wikiRepositories.path(scene.project), 'HEAD:main'],
  )
  const refused = {
    message: 'The page huge is too large to be shown: clone the repository of the wiki',
  }
  expect(await scene.call(`GET ${W}/huge`)).toEqual([422, refused])
  expect(await scene.call(`GET ${W}?with_content=true`)).toEqual([422, refused])
  expect((await scene.call(`GET ${W}`))[0]).toBe(200)
})

test('objects made to harm are refused by a push', async () => {
  const server = await startGitServer()
  const tree = await workTree({ 'home.md': 'a' })
  const blob = await gitOk(tree, 'rev-parse', 'HEAD:home.md')
  const address = server.remote().replace('app.git', 'app.wiki.git')
  const entry = Buffer.concat([Buffer.from('100644 ..\0'), Buffer.from(blob, 'hex')])
  await commit(tree, { entry })
  const id = await gitOk(tree, 'hash-object', '-t', 'tree', '-w', '--literally', 'entry')
  const bad = await gitOk(tree, 'commit-tree', id, '-m', 'x')
  const pushed = await git(tree, 'push', address, `${bad}:refs/heads/main`)
  expect(pushed.exitCode).toBe(1)
  expect(pushed.output).toContain('hasDotdot')
})
