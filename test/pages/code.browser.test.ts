import { describe, expect, it } from 'vitest'

import { Service } from '../conformance/support/service.js'
import { openForFile } from '../support/lifetime.js'
import { IS_NIGHTLY, testAtNight } from '../support/nightly.js'
import { looksRight } from './support/accessibility.js'
import { openPage } from './support/browser.js'

const READER = `import { readFile } from 'node:fs/promises'

/** The last line of a text. */
export function lastLine(text: string): string {
  return text.split('\\n').at(-1) ?? ''
}
`
const LONG = Array.from({ length: 3000 }, (_, line) => `line ${line + 1}`).join('\n')

const FILES = {
  '.gitlab-ci.yml': 'test: { script: make }\n',
  'README.md': '# App\n\nReads the last line.\n',
  'src/reader.ts': READER,
  'src/deep/er/long.txt': `${LONG}\n`,
  'src/empty.txt': '',
  'assets/data.bin': '\u0000\u0001\u0002',
}

/** A project with a branch whose name has a slash, and a tag. */
async function openScene() {
  const service = await Service.start()
  const project = await service.addProject(FILES, service.root, {
    name: 'App',
    path: 'app',
    visibility: 'public',
  })
  await service.json('POST', `/projects/${project.id}/repository/tags`, {
    tag_name: 'v1.0',
    ref: 'main',
    message: 'The first one',
  })
  const sha = await service.push(
    project,
    {
      'src/reader.ts': READER.replace('text.split', 'text.trimEnd().split'),
      'src/deep/er/long.txt': `${LONG.replace('line 20\n', 'line twenty\n').replace('line 2000\n', '')}\n`,
      'docs/new.md': '# New\n',
    },
    'feature/reader',
  )
  return { service, project, sha, reader: await service.addPerson('rita') }
}

describe('the code of a project', () => {
  const scene = openForFile(openScene)

  it('has folders of a branch whose name has a slash, down to a line of a file', async () => {
    const { service, project, reader } = scene()
    const { page } = await openPage(service, `/${project.path}/-/tree/feature/reader/src`, { as: reader })
    const files = page.getByRole('table', { name: 'Files' })
    await files.getByRole('link', { name: 'reader.ts', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Branch or tag: feature/reader' }).waitFor()
    expect(await looksRight(page)).toEqual([])

    await files.getByRole('link', { name: 'reader.ts', exact: true }).click()
    await page.getByText('text.trimEnd().split').waitFor()
    const content = page.getByRole('region', { name: 'Content of reader.ts' })
    await content.locator('span', { hasText: /^export$/ }).waitFor()
    await content.locator('[data-line="3"]').click()
    await content.locator('[data-line="5"]').click({ modifiers: ['Shift'] })
    expect(new URL(page.url()).hash).toBe('#L3-L5')
    expect(await looksRight(page)).toEqual([])
  })

  it('shows a long file at a line, and says what cannot be shown', async () => {
    const { service, project } = scene()
    const blob = `/${project.path}/-/blob/main`
    const { page } = await openPage(service, `${blob}/src/deep/er/long.txt#L2500`, { as: service.root })
    await page.getByText('line 2500', { exact: true }).waitFor()
    expect(await page.locator('[data-line]').count()).toBeLessThan(200)
    for (const [path, text] of [
      ['src/empty.txt', 'This file is empty.'],
      ['assets/data.bin', 'This is a binary file.'],
      ['README.md', 'Reads the last line.'],
    ] as const) {
      await page.goto(`${service.url}${blob}/${path}`)
      await page.getByText(text).waitFor()
    }
    await page.getByRole('link', { name: 'Source' }).click()
    await page.getByText('# App').waitFor()
    expect(await looksRight(page)).toEqual([])
  })

  testAtNight('shows the history of a branch, and a commit with its changes', async () => {
    const { service, project, sha } = scene()
    const { page } = await openPage(service, `/${project.path}/-/commits/feature/reader`, {
      as: service.root,
      expectedFailures: /^400 .*\/revert$/,
    })
    await page.getByRole('link', { name: `Commit ${sha.slice(0, 8)}` }).waitFor()
    expect(await looksRight(page)).toEqual([])

    await page.getByRole('link', { name: `Commit ${sha.slice(0, 8)}` }).click()
    const lines = page.getByRole('region', { name: 'Changed lines' })
    await lines.getByText('line twenty', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'branch feature/reader' }).waitFor()
    expect(await lines.getByText('line 11', { exact: true }).count()).toBe(0)
    await lines.locator('[data-open="all"]').first().click()
    await lines.getByText('line 11', { exact: true }).waitFor()
    expect(await looksRight(page)).toEqual([])

    await page.getByRole('button', { name: 'Side by side' }).click()
    await lines.getByText('line twenty', { exact: true }).waitFor()
    await page.getByRole('checkbox', { name: /^Viewed.*new\.md$/ }).check()
    await page.getByRole('button', { name: 'Show the changes of docs/new.md' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Show the changes of docs/new.md' }).waitFor()

    await page.getByRole('button', { name: 'Unified' }).click()
    await lines.locator('[data-note]', { hasText: '20' }).first().click()
    await lines.getByRole('textbox', { name: /^Comment on line 20/ }).fill('Why **twenty**?')
    await lines.getByRole('button', { name: 'Comment on line' }).click()
    await lines
      .getByRole('list', { name: /^Comments on line 20 of / })
      .locator('strong', { hasText: 'twenty' })
      .waitFor()
    expect(await looksRight(page)).toEqual([])
    // Without a pointer, by the menu of the file.
    await page.getByRole('button', { name: 'More about docs/new.md' }).click()
    await page.getByRole('button', { name: 'Comment on a line…' }).click()
    await page.getByLabel('Line', { exact: true }).fill('99')
    await page.getByText('The changes do not have this line.').waitFor()
    await page.getByLabel('Line', { exact: true }).fill('1')
    await page.getByRole('button', { name: 'Write a comment' }).click()
    await lines.getByRole('textbox', { name: 'Comment on line 1' }).fill('A new file')
    await lines.getByRole('button', { name: 'Comment on line' }).click()
    await lines
      .getByRole('list', { name: 'Comments on line 1 of docs/new.md' })
      .getByText('A new file')
      .waitFor()

    await page.getByLabel('New comment').fill('Looks **good**')
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await page.getByRole('list', { name: 'Comments' }).locator('strong', { hasText: 'good' }).waitFor()

    const onNewBranch = async (action: string) => {
      await page.getByRole('button', { name: 'Options' }).click()
      await page.getByRole('button', { name: action }).click()
      await page.getByRole('checkbox', { name: /new branch/ }).check()
      await page.getByRole('button', { name: `${action} commit` }).click()
    }
    // A commit that main does not contain cannot be reverted there.
    await onNewBranch('Revert')
    await page.getByText('cannot revert this commit').waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('button', { name: 'Cancel' }).click()
    await onNewBranch('Cherry-pick')
    await page.getByRole('link', { name: `branch cherry-pick-${sha.slice(0, 8)}` }).waitFor()
    const branches = await service.json<{ name: string }[]>(
      'GET',
      `/projects/${project.id}/repository/branches?search=revert`,
    )
    expect(branches).toEqual([])
  })

  testAtNight('compares branches, creates them and deletes them', async () => {
    const { service, project, sha } = scene()
    const { page } = await openPage(service, `/${project.path}/-/branches`, { as: service.root })
    await page.getByRole('list', { name: 'Branches' }).waitFor()
    await page.getByRole('link', { name: 'feature/reader: 0 commits behind main, 1 ahead' }).waitFor()
    await page.getByRole('button', { name: 'New branch' }).click()
    await page.getByLabel('Name of the branch').fill('topic/new')
    await page.getByRole('button', { name: 'Create branch' }).click()
    await page.getByRole('link', { name: 'topic/new', exact: true }).waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('button', { name: 'Delete topic/new' }).click()
    await page.getByRole('button', { name: 'Delete branch' }).click()
    await page.getByRole('link', { name: 'topic/new', exact: true }).waitFor({ state: 'detached' })

    await page.getByRole('link', { name: 'Compare feature/reader with main' }).click()
    await page.getByRole('link', { name: `Commit ${sha.slice(0, 8)}` }).waitFor()
    await page.getByText('line twenty', { exact: true }).waitFor()
    expect(await looksRight(page)).toEqual([])
  })

  it.runIf(IS_NIGHTLY)('has tags with their messages', async () => {
    const { service, project, reader } = scene()
    const { page } = await openPage(service, `/${project.path}/-/tags`, { as: reader })
    await page.getByText('The first one').waitFor()
    expect(await page.getByRole('button', { name: 'Delete v1.0' }).count()).toBe(0)
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('link', { name: 'v1.0', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'v1.0' }).waitFor()
    expect(await looksRight(page)).toEqual([])
  })

  it('finds a file by characters of its path', async () => {
    const { service, project, reader } = scene()
    const { page } = await openPage(service, `/${project.path}/-/find_file/feature/reader`, { as: reader })
    await page.getByRole('link', { name: 'docs/new.md' }).waitFor()
    await page.getByRole('searchbox', { name: 'Path of the file' }).fill('srcread')
    await page.getByRole('link', { name: 'docs/new.md' }).waitFor({ state: 'detached' })
    expect(await looksRight(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByText('text.trimEnd().split').waitFor()
  })

  it('searches the files of a branch for a text', async () => {
    const { service, project, reader } = scene()
    const { page } = await openPage(service, `/${project.path}/-/search?ref=feature/reader`, { as: reader })
    await page.getByRole('searchbox', { name: 'Text in files' }).fill('TRIMEND')
    await page.locator('mark').getByText('trimEnd').waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('link', { name: 'Line 5' }).click()
    await page.waitForURL(/\/-\/blob\/feature\/reader\/src\/reader\.ts#L5$/)
  })

  it('marks invisible characters in a file, and copies them as they are', async () => {
    const { service } = scene()
    const text = '/*\u202E begin */ const pass\u200Bword = 1'
    const project = await service.addProject({ 'a.js': `${text}\n` })
    const { page } = await openPage(service, `/${project.path}/-/blob/main/a.js`, { as: service.root })
    await page.getByText('This file has 2 invisible characters.').waitFor()
    await page.getByRole('img', { name: 'U+202E right-to-left override' }).waitFor()
    expect(await looksRight(page)).toEqual([])
    const copied = await page.evaluate(`(() => {
      const line = document.querySelector('[data-code]').closest('[role=listitem], div')
      getSelection().selectAllChildren(line)
      return getSelection().toString()
    })()`)
    expect(copied).toContain(text)
  })

  it.runIf(IS_NIGHTLY)('marks invisible characters in rendered Markdown and in names of files', async () => {
    const { service } = scene()
    const project = await service.addProject({
      'README.md': 'Run `pass\u200Bword` or &#8238;this&#8236;.\n',
      'gpj\u202E.sh': '',
    })
    const { page } = await openPage(service, `/${project.path}`, { as: service.root })
    await page.getByText('This text has 3 invisible characters.').waitFor()
    await page.locator('code').getByRole('img', { name: 'U+200B zero width space' }).waitFor()
    await page.locator('p').getByRole('img', { name: 'U+202E right-to-left override' }).waitFor()
    await page.locator('table').getByRole('img', { name: 'U+202E right-to-left override' }).waitFor()
    expect(await looksRight(page)).toEqual([])
  })

  it.runIf(IS_NIGHTLY)('blames each line of a file', async () => {
    const { service, project, sha, reader } = scene()
    const { page } = await openPage(service, `/${project.path}/-/blame/feature/reader/src/reader.ts`, {
      as: reader,
    })
    await page.getByText('text.trimEnd().split').waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.locator(`[data-sha="${sha}"]`).click()
    await page.getByRole('link', { name: 'branch feature/reader' }).waitFor()
  })

  it('shows the pictures of a document of a private project', async () => {
    const { service } = scene()
    const drawing =
      '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="50"><rect width="80" height="50"/></svg>'
    const project = await service.addProject({
      'README.md': '![Logo](img/logo.svg)\n',
      'img/logo.svg': drawing,
    })
    const { page } = await openPage(service, `/${project.path}`, { as: service.root })
    await page.getByRole('img', { name: 'Logo' }).waitFor()
    await expect.poll(() => page.evaluate('document.querySelector("img[alt=Logo]").naturalWidth')).toBe(80)
  })
})
