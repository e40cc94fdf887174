import { readFile } from 'node:fs/promises'

import { describe, expect, test } from 'vitest'

import { compile, inspectFile } from '../../../../src/ci-config/compile.js'
import { INSTALLED_TEMPLATES } from '../../../../src/coordinator/hosting/templates/folder-templates.js'
import { includableTemplates } from '../../../../src/coordinator/hosting/templates/templates.js'
import { withVariables } from '../../../ci-config/support/compile-project.js'
import { pushOfMain } from '../../../ci-config/support/compile-text.js'
import { projectSources, SHA } from '../../../ci-config/support/project-sources.js'

const { listTemplates, readTemplate } = includableTemplates(INSTALLED_TEMPLATES)
const names = await listTemplates()

/** Stages that a file with `Jobs/Deploy` must have. */
const DEPLOY_STAGES = ['test', 'review', 'staging', 'production', 'cleanup']

/** The checked file that includes the template beside a job of its own. */
async function checked(template: string) {
  const stages = template.startsWith('Jobs/Deploy') ? `stages: ${JSON.stringify(DEPLOY_STAGES)}\n` : ''
  const text = `${stages}include: [{template: ${template}}]\na job: {stage: .pre, script: x}`
  const { result } = await inspectFile(text, { ...projectSources(), readTemplate, listTemplates }, pushOfMain)
  return result
}

/** Names of the jobs for a push of a project with these files. */
async function jobsOf(
  template: string,
  variables: Record<string, string>,
  files: string[],
  inFile: object = {},
): Promise<string[]> {
  const commit = { projectPath: 'group/project', sha: SHA }
  const repository = { projects: { 'group/project': Object.fromEntries(files.map((file) => [file, 'x'])) } }
  const sources = { ...projectSources(repository), readTemplate, listTemplates }
  const include = [{ template: `${template}.gitlab-ci.yml` }]
  const text = JSON.stringify({ include, variables, ...inFile, a: { script: 'x' } })
  const context = {
    ...pushOfMain,
    origin: { file: '.gitlab-ci.yml', commit },
    ...withVariables({ CI_COMMIT_BRANCH: 'main', CI_DEFAULT_BRANCH: 'main' }),
  }
  const result = await compile(text, sources, context)
  if (result.kind !== 'plan') throw new Error(JSON.stringify(result))
  return result.plan.jobs.map(({ name }) => name).filter((name) => name !== 'a')
}

describe('the templates of the installation', () => {
  test.each(names)('%s compiles without problems', async (name) => {
    const warnings = name.startsWith('Pages/') ? [expect.stringContaining('does not publish pages')] : []
    expect(await checked(name)).toEqual({ kind: 'checked', warnings })
  })

  test('include those that real files name most', () => {
    expect(names).toEqual(
      expect.arrayContaining(
        [
          'Auto-DevOps',
          'Jobs/Code-Quality',
          'Jobs/Container-Scanning',
          'Jobs/Dependency-Scanning',
          'Jobs/SAST',
          'Jobs/SAST-IaC',
          'Jobs/Secret-Detection',
          'Security/SAST',
          'Workflows/Branch-Pipelines',
          'Workflows/MergeRequest-Pipelines',
        ].map((name) => `${name}.gitlab-ci.yml`),
      ),
    )
  })

  test('are all named in the documentation', async () => {
    const documented = await readFile('docs/ci-files.md', 'utf8')
    const missing = names
      .map((name) => name.replace(/^.*\/|(\.latest)?\.gitlab-ci\.yml$/g, ''))
      .filter((name) => !documented.includes(`\`${name}\``))
    expect(missing).toEqual([])
  })
})

test.each<[string, Record<string, string>, string[]]>([
  ['Jobs/Test', {}, ['test']],
  ['Jobs/Test', { TEST_DISABLED: '1' }, []],
  ['Jobs/Deploy', {}, []],
  ['Jobs/Deploy', { KUBECONFIG: '/k' }, ['production']],
  ['Jobs/Deploy', { KUBECONFIG: '/k', STAGING_ENABLED: '1' }, ['production_manual', 'staging']],
  ['Jobs/Deploy', { KUBECONFIG: '/k', CI_COMMIT_BRANCH: 'topic' }, ['review', 'stop_review']],
  ['Jobs/Deploy', { KUBECONFIG: '/k', CI_COMMIT_BRANCH: 'topic', REVIEW_DISABLED: 'true' }, []],
])('the jobs of %s with %o are %o', async (template, variables, jobs) => {
  const found = await jobsOf(template, variables, [], { stages: DEPLOY_STAGES })
  expect(found.toSorted()).toEqual(jobs)
})

describe('scanners run for the files that they read, unless they are turned off', () => {
  test.each<[string, Record<string, string>, string[]]>([
    ['Jobs/SAST', {}, ['semgrep-sast']],
    ['Jobs/SAST', { SAST_DISABLED: 'true' }, []],
    ['Jobs/SAST', { SAST_EXCLUDED_ANALYZERS: 'semgrep, spotbugs' }, []],
    ['Security/SAST', {}, ['semgrep-sast']],
    ['Jobs/Secret-Detection', {}, ['secret_detection']],
    ['Jobs/Secret-Detection', { SECRET_DETECTION_DISABLED: '1' }, []],
    ['Jobs/Dependency-Scanning', {}, ['gemnasium-python-dependency_scanning']],
    [
      'Jobs/Dependency-Scanning',
      { DS_EXCLUDED_ANALYZERS: 'gemnasium' },
      ['gemnasium-python-dependency_scanning'],
    ],
    ['Jobs/Dependency-Scanning', { DEPENDENCY_SCANNING_DISABLED: 'true' }, []],
    ['Jobs/Code-Quality', { CODE_QUALITY_DISABLED: 'true' }, []],
    ['Jobs/Container-Scanning', {}, ['container_scanning']],
    [
      'Auto-DevOps',
      {},
      ['code_quality', 'gemnasium-python-dependency_scanning', 'semgrep-sast', 'secret_detection', 'test'],
    ],
  ])('%s with %o', async (template, variables, jobs) => {
    const found = await jobsOf(template, variables, ['main.py', 'requirements.txt'])
    expect(found.toSorted()).toEqual(jobs.toSorted())
  })
})

describe('a missing template keeps its error', () => {
  test.each([
    ['Jobs/SATS', 'Did you mean `Jobs/SAST` instead of `Jobs/SATS`?'],
    ['NodeJS', 'Did you mean `Nodejs` instead of `NodeJS`?'],
    [
      'Something-Else',
      expect.stringMatching(/^Templates that exist.*Jobs\/SAST, .*Workflows\/Branch-Pipelines/),
    ],
  ])('and gives a hint for %s', async (name, hint) => {
    expect(await checked(`${name}.gitlab-ci.yml`)).toMatchObject({
      kind: 'invalid',
      errors: [`Included file \`${name}.gitlab-ci.yml\` is empty or does not exist!`],
      warnings: [hint],
    })
  })
})
