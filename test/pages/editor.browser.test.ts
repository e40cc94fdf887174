import { describe, expect, it } from 'vitest'

import { Service } from '../conformance/support/service.js'
import { openForFile } from '../support/lifetime.js'
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

describe('the pipeline editor', () => {
  const scene = openForFile(openScene)

  it('checks the file as it is written, and commits it', async () => {
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
    await page
      .getByRole('list', { name: 'Problems' })
      .getByRole('button', { name: /^Line / })
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
    await result.getByRole('link', { name: 'ci/lint.yml' }).waitFor()
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
})
