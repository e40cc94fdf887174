import { describe, expect, test } from 'vitest'

import type { PipelineContext, PlannedJob } from '../../src/ci-config/plan.js'
import { ciFiles } from './support/ci-files.js'
import { compileProject, jobsOf } from './support/compile-project.js'
import { variablesOf } from './support/compile-text.js'
import { NO_CONTEXT_VARIABLES } from './support/no-context-variables.js'
import type { Surroundings } from './support/project-sources.js'

/** An event with the predefined variables that the files ask about. */
function event(
  values: Record<string, string>,
  more: Partial<PipelineContext> = {},
): Partial<PipelineContext> {
  const given = {
    CI_SERVER_FQDN: 'ci.example.com',
    CI_DEFAULT_BRANCH: 'main',
    CI_COMMIT_MESSAGE: 'Change it',
    ...values,
  }
  const predefined = Object.entries(given).map(([key, value]) => ({ key, value }))
  return { ...more, variables: { ...NO_CONTEXT_VARIABLES, predefined } }
}

function pushTo(branch: string, values: Record<string, string> = {}, more: Partial<PipelineContext> = {}) {
  const refs = { CI_COMMIT_BRANCH: branch, CI_COMMIT_REF_NAME: branch, CI_COMMIT_REF_SLUG: branch }
  return event({ CI_PIPELINE_SOURCE: 'push', ...refs, ...values }, { ref: branch, ...more })
}

function pushOfTag(tag: string) {
  const values = { CI_PIPELINE_SOURCE: 'push', CI_COMMIT_TAG: tag, CI_COMMIT_REF_NAME: tag }
  return event(values, { ref: tag, refType: 'tag' })
}

/**
 * The jobs of each stage: `?` may fail, `(…)` when it runs unless on success, `<-` what it needs (`-` without the
 * artifacts), `=>` its environment. Instead of stages, what came when there is no pipeline.
 */
async function outline(project: string, context: Partial<PipelineContext>, around: Surroundings) {
  const result = await compileProject(ciFiles(project), around, context)
  if (result.kind !== 'plan') return result.kind === 'invalid' ? result.errors : result.kind
  const stages: Record<string, string[]> = {}
  for (const job of result.plan.jobs) (stages[job.stage] ??= []).push(inShort(job))
  return stages
}

function inShort({ name, when, allowFailure, schedulingType, needs, environment }: PlannedJob): string {
  const needed = needs.map((need) => need.name + (need.artifacts ? '' : '-')).join(' + ')
  return [
    name + (allowFailure ? '?' : ''),
    ...(when === 'on_success' ? [] : [`(${when})`]),
    ...(schedulingType === 'dag' ? [`<- ${needed}`.trim()] : []),
    ...(environment ? [`=> ${environment.action} ${environment.name}`] : []),
  ].join(' ')
}

interface Case {
  title: string
  context: Partial<PipelineContext>
  around?: Surroundings
  jobs: Record<string, string[]> | string
}

const monorepo: Case[] = [
  {
    title: 'a change of one service on main: its jobs, and a deployment at once',
    context: pushTo('main'),
    around: { changed: ['services/api/src/server.ts', 'README.md'] },
    jobs: {
      build: ['api:build'],
      test: ['api:test 1/2 <- api:build', 'api:test 2/2 <- api:build'],
      deploy: ['api:deploy <- api:build + api:test 1/2 + api:test 2/2 => start api/staging'],
      '.post': ['notify (on_failure)'],
    },
  },
  {
    title: 'a change of a shared package on a branch: all services, no deployment',
    context: pushTo('feature'),
    around: { changed: ['packages/ui/src/deep/button.tsx'] },
    jobs: {
      check: ['commitlint'],
      build: ['api:build', 'web:build'],
      test: [
        'api:test 1/2 <- api:build',
        'api:test 2/2 <- api:build',
        'web:test: [chromium] <- web:build',
        'web:test: [firefox] <- web:build',
      ],
      '.post': ['notify (on_failure)'],
    },
  },
  {
    title: 'a tag of one service: its release, by hand',
    context: pushOfTag('web@1.20.3'),
    jobs: {
      '.pre': ['install'],
      check: ['commitlint'],
      build: ['web:build'],
      test: ['web:test: [chromium] <- web:build', 'web:test: [firefox] <- web:build'],
      deploy: [
        'web:deploy (manual) <- web:build + web:test: [chromium] + web:test: [firefox] => start web/eu',
      ],
      '.post': ['notify (on_failure)'],
    },
  },
  {
    title: 'a schedule: the jobs of the night, whose file nobody else includes',
    context: pushTo('main', { CI_PIPELINE_SOURCE: 'schedule' }, { source: 'schedule' }),
    jobs: { '.pre': ['install'], check: ['audit'], '.post': ['notify (on_failure)'] },
  },
  { title: 'another tag: no pipeline', context: pushOfTag('v1'), jobs: 'filtered' },
  {
    title: 'a draft: no pipeline',
    context: pushTo('feature', { CI_COMMIT_MESSAGE: 'Draft: try it' }),
    jobs: 'filtered',
  },
  {
    title: 'a change of the documentation on main: only what follows a failure',
    context: pushTo('main'),
    around: { changed: ['docs/a.md'] },
    jobs: 'empty',
  },
]

const webApp: Case[] = [
  {
    title: 'a push to main: staging at once, production by hand and later',
    context: pushTo('main'),
    around: { changed: ['app/models/user.rb'] },
    jobs: {
      lint: ['rubocop? <-'],
      test: ['test'],
      build: ['build'],
      staging: ['staging => start staging', 'smoke <- staging + build'],
      production: [
        'production 10% (manual) => prepare production',
        'production (delayed) <- production 10% => start production',
      ],
      release: ['pages'],
    },
  },
  {
    title: 'a push to a branch: a review app and how to stop it',
    context: pushTo('feature'),
    around: { changed: ['app.js'] },
    jobs: {
      test: ['test'],
      build: ['build'],
      review: ['review => start review/feature', 'stop review? (manual) <- review => stop review/feature'],
    },
  },
  {
    title: 'a push to a branch with a merge request: the pipeline of that is enough',
    context: pushTo('feature', { CI_OPEN_MERGE_REQUESTS: 'group/project!1' }),
    jobs: 'filtered',
  },
  {
    title: 'a run by hand: end-to-end tests, when somebody wants them',
    context: pushTo('feature', { CI_PIPELINE_SOURCE: 'web', CI_COMMIT_REF_SLUG: 'f' }, { source: 'web' }),
    jobs: {
      lint: ['rubocop? <-'],
      test: ['test', 'e2e? (manual)'],
      build: ['build'],
      review: ['review => start review/f', 'stop review? (manual) <- review => stop review/f'],
    },
  },
  {
    title: 'a tag of a version: an image and a release',
    context: pushOfTag('v1.2.3-rc4'),
    jobs: { build: ['build'], release: ['release'] },
  },
  { title: 'any other tag: an image', context: pushOfTag('nightly'), jobs: { build: ['build'] } },
]

const unitTests = ['rspec unit 1/3', 'rspec unit 2/3', 'rspec unit 3/3']

const gem: Case[] = [
  {
    title: 'a push to a branch: the tests, and the linter for what it reads',
    context: pushTo('feature'),
    around: { changed: ['lib/a.rb'] },
    jobs: { test: [...unitTests, 'rspec 2.7 legacy?', 'lint'] },
  },
  {
    title: 'a push of documentation: the documentation',
    context: pushTo('feature', { CI_COMMIT_MESSAGE: 'docs: explain' }),
    around: { changed: ['README.md'] },
    jobs: { test: ['docs'] },
  },
  {
    title: 'a push to a stable branch: a gem, published by hand',
    context: pushTo('1-12-stable'),
    around: { changed: ['README.md'] },
    jobs: {
      test: [...unitTests, 'rspec 2.7 legacy?'],
      build: ['gem'],
      deploy: ['publish? (manual) => start rubygems'],
    },
  },
  {
    title: 'a schedule on a stable branch: the tests and the benchmark, no gem',
    context: pushTo('1-12-stable', {}, { source: 'schedule' }),
    jobs: { test: [...unitTests, 'rspec 2.7 legacy?', 'lint'], deploy: ['nightly'] },
  },
  {
    title: 'a push to master of the project itself: a gem',
    context: pushTo('master', {}, { projectPath: 'group/project' }),
    around: { changed: [] },
    jobs: {
      test: [...unitTests, 'rspec 2.7 legacy?'],
      build: ['gem'],
      deploy: ['publish? (manual) => start rubygems'],
    },
  },
  {
    title: 'a push to master of a fork: none',
    context: pushTo('master', {}, { projectPath: 'fork/project' }),
    around: { changed: [] },
    jobs: { test: [...unitTests, 'rspec 2.7 legacy?'] },
  },
]

const unixes = ['[linux, amd64]', '[linux, arm64]', '[macos, amd64]', '[macos, arm64]']
const builds = [...unixes, '[windows, amd64, v142]', '[windows, amd64, v143]'].map((of) => `compile: ${of}`)
const tests = unixes.map((of) => `unit: ${of}`)

const everywhere = {
  prepare: ['versions'],
  build: builds.map((name) => `${name} <- versions`),
}
const onItsBuild = unixes.map((of) => `unit: ${of} <- compile: ${of} + versions`)
const onWindows = 'windows <- compile: [windows, amd64, v142] + compile: [windows, amd64, v143]'

const toolchain: Case[] = [
  {
    title: 'a push: each platform tests its own build, and the bundle waits for all',
    context: pushTo('feature'),
    jobs: {
      ...everywhere,
      test: [
        ...onItsBuild,
        onWindows,
        ...[1, 2, 3, 4].map((index) => `fuzz ${index}/4? (manual) <- compile: [linux, amd64]`),
      ],
      bundle: [`bundle <- ${[...builds, ...tests].join(' + ')}`],
    },
  },
  {
    title: 'a push with more tests: other needs for the fuzzer, and what was optional is waited for',
    context: pushTo('feature', { FUZZ: '1', SANITIZE: '1' }),
    jobs: {
      ...everywhere,
      test: [
        ...onItsBuild,
        onWindows,
        ...[1, 2, 3, 4].map((index) => `fuzz ${index}/4 <- compile: [linux, arm64]`),
        'sanitize <- compile: [linux, amd64]- + compile: [linux, arm64]-',
      ],
      bundle: [`bundle <- ${[...builds, ...tests, 'sanitize'].join(' + ')}`],
    },
  },
]

const platform: Case[] = [
  {
    title: 'a push to main: children for the generated file and each region, and other projects',
    context: pushTo('main'),
    around: { changed: ['docs/guide/start.md'] },
    jobs: {
      check: ['lint?'],
      generate: ['generate'],
      children: ['deploy regions: [eu]', 'deploy regions: [us]', 'generated <- generate'],
      downstream: ['docs', 'e2e? (manual) <- generated'],
    },
  },
  {
    title: 'a push with inputs: their regions, under their name',
    context: pushTo('feature', {}, { inputs: { regions: ['ap'], 'job-prefix': 'ship', level: 'debug' } }),
    around: { changed: [] },
    jobs: {
      check: ['lint?'],
      generate: ['generate'],
      children: ['ship regions: [ap]', 'generated <- generate'],
      downstream: ['e2e? (manual) <- generated'],
    },
  },
]

const COMPONENT = `
spec:
  inputs:
    stage: { default: test }
    strict: { type: boolean, default: false }
---
lint:
  stage: $[[ inputs.stage ]]
  script: lint --strict=$[[ inputs.strict ]]
  allow_failure: $[[ inputs.strict ]]
`

const otherProjects: Surroundings = {
  refs: ['v3', 'v1'],
  projects: {
    'platform/ci-templates': {
      'docker.yml': '.docker: {services: ["docker:27-dind"], variables: {DOCKER_HOST: "tcp://docker:2375"}}',
      'security.yml':
        '.security: {stages: [security]}\n' +
        'security:scan: {stage: security, needs: [], script: scan, rules: [{exists: ["**/Dockerfile"]}]}',
    },
    'platform/components': { 'templates/lint.yml': COMPONENT },
  },
}

describe.each<[string, string, Case[]]>([
  ['services in one repository, each with a file of its own', 'monorepo', monorepo],
  ['a web application with review apps', 'web-app', webApp],
  ['an old library with only and except', 'gem', gem],
  ['a graph of platforms', 'toolchain', toolchain],
  ['parents and children', 'platform', platform],
])('%s', (_, project, cases) => {
  test.each(cases)('$title', async ({ context, around, jobs }) => {
    expect(await outline(project, context, { ...otherProjects, ...around })).toEqual(jobs)
  })
})

describe('properties of jobs', () => {
  const jobsAt = (project: string, context: Partial<PipelineContext>, around: Surroundings = {}) =>
    jobsOf(ciFiles(project), { ...otherProjects, ...around }, context)

  test('a deployment of the monorepo: three bases, the file of another project, the variables of its rule', async () => {
    const jobs = await jobsAt('monorepo', pushTo('main'), { changed: ['services/api/a'] })
    const deploy = jobs['api:deploy']
    expect(deploy).toMatchObject({
      interruptible: false,
      tags: ['docker', 'linux'],
      resourceGroup: 'api/staging',
      options: {
        script: ['helm upgrade "$SERVICE" chart/'],
        image: { name: 'alpine/helm:3', entrypoint: [''] },
        services: [{ name: 'docker:27-dind' }],
        retry: { max: 1, when: ['runner_system_failure', 'stuck_or_timeout_failure'] },
      },
    })
    expect(deploy?.options.caches).toBeUndefined()
    expect(deploy && variablesOf(deploy)).toMatchObject({
      SERVICE: 'api',
      REGION: 'staging',
      KIND: 'main',
      DOCKER_HOST: 'tcp://docker:2375',
      GIT_DEPTH: '1',
    })
  })

  test('a build of the monorepo: the lines of other entries, and artifacts merged key by key', async () => {
    const jobs = await jobsAt('monorepo', pushOfTag('web@1.0.0'))
    expect(jobs['web:build']?.options).toMatchObject({
      script: [
        'corepack enable',
        'pnpm install --frozen-lockfile',
        'date +%s > .start',
        'echo "service ${SERVICE}"',
        'pnpm --filter "$SERVICE" build',
      ],
      artifacts: {
        name: '$SERVICE-$CI_COMMIT_SHORT_SHA',
        expireIn: '1 week',
        paths: ['services/web/.next/'],
      },
      caches: [{ policy: 'pull' }],
    })
    expect(jobs['install']?.options.caches).toMatchObject([{ policy: 'pull-push' }])
    expect(jobs['notify']).toMatchObject({
      variables: [],
      interruptible: false,
      options: { script: ['curl -d "$CI_PIPELINE_URL" "$HOOK"'] },
    })
  })

  test('the last step to production: lines shared by an anchor, after lines of its own', async () => {
    const jobs = await jobsAt('web-app', pushTo('main'))
    expect(jobs['production 10%']).toMatchObject({
      options: {
        script: [
          'export WEIGHT=10',
          'kubectl set image deployment/app app=$IMAGE',
          'kubectl rollout status deployment/app \\\n  --timeout=120s\n',
        ],
      },
    })
    expect(jobs['production']).toMatchObject({ startIn: 1800, resourceGroup: 'production' })
    const feature = await jobsAt('web-app', pushTo('feature'))
    expect(feature['review']?.environment).toMatchObject({ onStop: 'stop review', autoStopIn: '2 days' })
  })

  test('a job of the old library: maps merged by anchors are merged one level deep', async () => {
    const jobs = await jobsAt('gem', pushTo('1-0-stable'))
    const legacy = jobs['rspec 2.7 legacy']
    expect(legacy && variablesOf(legacy)).toEqual({
      BUNDLE_PATH: 'vendor/ruby',
      RAILS_ENV: 'legacy',
      FEATURE: 'false',
      RATIO: '1.5',
      MASK: '18',
    })
    expect(jobs['lint']?.options).toMatchObject({
      script: ['gem install rubocop', 'rubocop'],
      services: [],
      afterScript: ['cat log/*.log || true'],
    })
    expect(jobs['publish']?.options).toMatchObject({
      dependencies: ['gem'],
      caches: [{ key: '$CI_JOB_IMAGE-$CI_COMMIT_REF_SLUG', policy: 'pull' }],
    })
  })

  test('children: what they are made of and what they are given', async () => {
    const inputs = { 'dry-run': true, regions: ['eu'] }
    const jobs = await jobsAt('platform', pushTo('main', {}, { inputs }), { changed: ['docs/x'] })
    expect(jobs['generated']).toMatchObject({
      trigger: {
        kind: 'child',
        include: [{ artifact: 'children.yml', job: 'generate' }],
        strategy: 'depend',
        forward: { yamlVariables: true, pipelineVariables: true },
      },
    })
    expect(jobs['deploy regions: [eu]']).toMatchObject({
      trigger: { kind: 'child', include: ['ci/region.yml'], strategy: 'mirror' },
      variables: [{ key: 'REGION', value: 'eu' }],
    })
    expect(jobs['docs']).toMatchObject({ allowFailure: true, trigger: { kind: 'project' }, variables: [] })
    expect(jobs['lint']?.options.script).toEqual(['lint --strict=true'])
    expect(jobs['generate']?.options.script).toEqual(['./generate --level info > children.yml'])
  })
})

test('a monorepo is pointed at in the file where it is wrong', async () => {
  const files = ciFiles('monorepo')
  const api = files['services/api/ci.yml']?.replace("needs: ['api:build']", 'needs: [api:biuld]') ?? ''
  const result = await compileProject({ ...files, 'services/api/ci.yml': api }, otherProjects, pushTo('main'))
  expect(result).toMatchObject({
    kind: 'invalid',
    problems: [
      {
        message: 'api:test 1/2 job: undefined need: api:biuld',
        location: { file: 'services/api/ci.yml', line: 11 },
      },
      { message: 'api:test 2/2 job: undefined need: api:biuld' },
    ],
  })
})
