import { describe, expect, it } from 'vitest'

import { Service } from '../conformance/support/service.js'
import { openForFile } from '../support/lifetime.js'
import { IS_NIGHTLY, testAtNight } from '../support/nightly.js'
import { looksRight } from './support/accessibility.js'
import { openPage } from './support/browser.js'

const CI_FILE = `stages: [build, test, deploy]
include:
  - local: ci/lint.yml
compile:
  stage: build
  script: make
rspec:
  stage: test
  parallel: 3
  needs: [compile]
  script: bundle exec rspec
deploy:
  stage: deploy
  script: make deploy
  rules:
    - if: $CI_COMMIT_TAG
`
const FILES = {
  '.gitlab-ci.yml': CI_FILE,
  'ci/lint.yml': 'lint: { stage: test, script: make lint }\n',
  'README.md': '# App\n',
}

async function openScene() {
  const service = await Service.start()
  const project = await service.addProject(FILES, service.root, {
    name: 'App',
    path: 'app',
    visibility: 'public',
  })
  return { service, project, reader: await service.addPerson('rita') }
}

describe('the editor', () => {
  const scene = openForFile(openScene)

  it('checks the CI file as it is written, and commits it', async () => {
    const { service, project } = scene()
    const { page } = await openPage(service, `/${project.path}/-/ci/editor`, { as: service.root })
    const result = page.getByRole('region', { name: 'Result' })
    await result.getByText('rspec 3/3').waitFor()
    await page.getByText('Valid', { exact: true }).waitFor()

    // A wrong keyword is marked at its place, and in the list.
    const content = page.getByRole('textbox', { name: 'Content of .gitlab-ci.yml' })
    await content.click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('wrong:\n')
    await page.keyboard.type('scr')
    await page.getByRole('option', { name: 'script', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.type('ibe: x\n')
    await page.getByText('1 error').waitFor()
    const problems = page.getByRole('list', { name: 'Problems' })
    await problems.getByText('Did you mean `script` instead of `scribe`?').waitFor()
    await problems
      .getByRole('button', { name: /^Line / })
      .first()
      .click()
    expect(await page.locator('.cm-lint-marker-error').count()).toBe(1)
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByText('Valid', { exact: true }).waitFor()

    await page.getByRole('link', { name: 'Why not 1' }).click()
    await result.getByText('if does not match').waitFor()
    await result.getByText('$CI_COMMIT_TAG', { exact: true }).waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('link', { name: 'Graph' }).click()
    await result.getByRole('link', { name: /^compile/ }).waitFor()
    await page.getByRole('link', { name: 'Includes 1' }).click()
    await result.getByRole('link', { name: 'ci/lint.yml' }).click()
    await page.getByRole('region', { name: 'Content of ci/lint.yml' }).getByText('make lint').waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('link', { name: 'Merged', exact: true }).click()
    await result.getByText('make lint').waitFor()

    await content.click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('docs: { script: make docs }')
    await page.getByText('Valid', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Commit…' }).click()
    expect(await looksRight(page)).toEqual([])
    await page.getByLabel('Create a new branch').check()
    await page.getByLabel('Name of the new branch').fill('docs')
    await page.getByRole('button', { name: 'Commit', exact: true }).click()
    await page.getByText('Committed to docs').waitFor()
    await page.getByRole('link', { name: /^Pipeline #/ }).waitFor()
    await page.getByRole('button', { name: 'Branch or tag: docs' }).waitFor()
  })

  testAtNight('changes a file, and does not overwrite the changes of others', async () => {
    const { service, project } = scene()
    const { page } = await openPage(service, `/${project.path}/-/blob/main/README.md`, {
      as: service.root,
      expectedFailures: /^400 .*\/repository\/commits$/,
    })
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    const content = page.getByRole('textbox', { name: 'Content of README.md' })
    await content.click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('Reads the *last* line.\n')
    await page.getByRole('button', { name: 'Changes' }).click()
    await page.locator('.cm-changedLine').waitFor()
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.locator('em', { hasText: 'last' }).waitFor()
    await page.getByRole('button', { name: 'Commit…' }).click()
    await page.getByRole('button', { name: 'Commit', exact: true }).click()
    await page.getByText('Update README.md').waitFor()

    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await content.click()
    await page.keyboard.type('Mine ')
    const base = `/projects/${project.id}/repository`
    await service.json('PUT', `${base}/files/README.md`, {
      branch: 'main',
      content: 'Theirs',
      commit_message: 'x',
    })
    await page.getByRole('button', { name: 'Commit…' }).click()
    await page.getByRole('button', { name: 'Commit', exact: true }).click()
    await page.getByText('The file has changed since you started editing it.').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    // What was typed stays, also on another page.
    await page.reload()
    await page.getByRole('button', { name: 'Discard' }).waitFor()
    expect(await content.textContent()).toContain('Mine')
  })

  it.runIf(IS_NIGHTLY)('adds, replaces and deletes files', async () => {
    const { service, project } = scene()
    const { page } = await openPage(service, `/${project.path}/-/tree/main/ci`, { as: service.root })
    await page.getByRole('link', { name: 'New file' }).click()
    await page.getByLabel('Path of the file').fill('ci/new.txt')
    await page.getByRole('textbox', { name: 'Content of ci/new.txt' }).click()
    await page.keyboard.type('one')
    expect(await looksRight(page)).toEqual([])
    await page.getByRole('button', { name: 'Commit…' }).click()
    await page.getByRole('button', { name: 'Commit', exact: true }).click()
    const content = page.getByRole('region', { name: 'Content of new.txt' })
    await content.getByText('one').waitFor()

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('button', { name: 'Replace' }).click()
    await page
      .getByRole('button', { name: 'File', exact: true })
      .setInputFiles({ name: 'other.txt', mimeType: 'text/plain', buffer: Buffer.from('two\n') })
    await page.getByRole('button', { name: 'Commit', exact: true }).click()
    await content.getByText('two').waitFor()

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete file' }).click()
    await page.getByText('new.txt was deleted on main').waitFor()
    await page.getByRole('link', { name: 'lint.yml', exact: true }).waitFor()
  })

  it.runIf(IS_NIGHTLY)(
    'is for reading to those who may not push, and begins the first file of a branch',
    async () => {
      const { service, project, reader } = scene()
      const asReader = await openPage(service, `/${project.path}/-/ci/editor?tab=why`, { as: reader })
      await asReader.page.getByText('You may read the file.').waitFor()
      await asReader.page.getByText('if does not match').waitFor()
      expect(await asReader.page.getByRole('button', { name: 'Commit…' }).count()).toBe(0)
      await asReader.page.getByRole('link', { name: '.gitlab-ci.yml' }).click()
      await asReader.page.getByText('This CI file is valid.').waitFor()
      expect(await asReader.page.getByRole('link', { name: 'Edit', exact: true }).count()).toBe(0)

      const empty = await service.addProject({ 'README.md': '# Empty\n' })
      const { page } = await openPage(service, `/${empty.path}/-/pipelines`, {
        as: service.root,
        expectedFailures: /^(404 .*\.gitlab-ci\.yml\/raw|400 .*\/ci\/lint)$/,
      })
      await page.getByRole('main').getByRole('link', { name: 'Pipeline editor' }).click()
      await page.getByRole('button', { name: 'Write a CI file' }).click()
      await page.getByText('Valid', { exact: true }).waitFor()
      await page.getByRole('combobox', { name: 'Event', exact: true }).selectOption('Merge request')
      await page.getByText('main is the source branch of no open merge request').waitFor()
    },
  )
})
