import { describe, expect, test } from 'vitest'

import { createPipeline } from '../../../../../src/coordinator/ci/engine/create/create-pipeline.js'
import type { PipelineRequest } from '../../../../../src/coordinator/ci/engine/create/pipeline-request.js'
import type { ProjectRow, UserRow } from '../../../../../src/coordinator/database/tables/pipeline-rows.js'
import type { Services } from '../../../../../src/coordinator/start/services/services.js'
import { runGit } from '../../../../../src/git/run-git.js'
import { testAtNight } from '../../../../support/nightly.js'
import { webServer } from '../../../egress/web-server.js'
import { setSettings } from '../../../support/set-settings.js'
import { openTestServices, type TestServicesOptions } from '../../../support/test-coordinator.js'
import { addProject, addUser } from '../support/records.js'

const identity = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
}

interface Setting {
  services: Services
  user: UserRow
  home: ProjectRow
  library: ProjectRow
  /** Puts a commit with these files on a branch or tag; its id. */
  commit: (project: ProjectRow, files: Record<string, string>, ref?: string) => Promise<string>
}

/** A coordinator with two private projects; the user is a member of `home` alone. */
async function openSetting(settings: TestServicesOptions['settings'] = {}): Promise<Setting> {
  const services = await openTestServices({ settings })
  const { database } = services
  const user = await addUser(database)
  const [home, library] = [await addProject(database, user), await addProject(database, user)]
  for (const project of [home, library]) await services.repositories.create(project.id)
  await join(services, user, home, 30)
  return { services, user, home, library, commit: (...args) => commitFiles(services, ...args) }
}

async function commitFiles(
  { repositories }: Services,
  project: ProjectRow,
  files: Record<string, string>,
  ref = 'refs/heads/main',
): Promise<string> {
  const git = async (args: string[], input = ''): Promise<string> =>
    (
      await runGit(['--git-dir', repositories.path(project.id), ...args], { input, environment: identity })
    ).trim()
  await git(['read-tree', '--empty'])
  for (const [path, text] of Object.entries(files)) {
    const blob = await git(['hash-object', '-w', '--stdin'], text)
    await git(['update-index', '--add', '--cacheinfo', `100644,${blob},${path}`])
  }
  const sha = await git(['commit-tree', await git(['write-tree']), '-m', 'A commit'])
  await git(['update-ref', ref, sha])
  return sha
}

async function join(
  { database }: Services,
  user: UserRow,
  project: ProjectRow,
  level: number,
): Promise<void> {
  await database
    .insertInto('member')
    .values({ project_id: project.id, user_id: user.id, access_level: level, created_at: Date.now() })
    .execute()
}

function joinLibrary({ services, user, library }: Setting): Promise<void> {
  return join(services, user, library, 20)
}

/** Names of the jobs of a push, or why there are none. */
async function outcomeOf(
  { services, user, home }: Setting,
  sha: string,
  changes: Partial<PipelineRequest> = {},
): Promise<string> {
  const created = await createPipeline(services.engine, {
    project: home,
    user,
    ref: 'main',
    refType: 'branch',
    sha,
    beforeSha: '0'.repeat(40),
    source: 'push',
    ...changes,
  })
  if (created.kind === 'refused') return created.message
  const { id, yaml_errors } = created.pipeline
  const query = services.database.selectFrom('job').select('name').where('pipeline_id', '=', id)
  const jobs = await query.orderBy('id').execute()
  return yaml_errors ?? jobs.map(({ name }) => name).join(' ')
}

const job = (name: string): string => `${name}: {script: x}\n`

describe('a pipeline includes', () => {
  test('files of its own commit, not of a later one', async () => {
    const setting = await openSetting()
    const files = { '.gitlab-ci.yml': 'include: ci/*.yml', 'ci/a.yml': job('a'), 'ci/b.yml': job('b') }
    const sha = await setting.commit(setting.home, files)
    await setting.commit(setting.home, { ...files, 'ci/c.yml': job('c') })
    expect(await outcomeOf(setting, sha)).toBe('a b')
  })

  test('files of another project at a branch, tag or commit, as far as its user may read it', async () => {
    const setting = await openSetting()
    const { home, library, commit } = setting
    const old = await commit(library, { 'ci.yml': job('old') }, 'refs/tags/v1')
    await commit(library, { 'ci.yml': `include: more.yml\n${job('new')}`, 'more.yml': job('more') })
    const outcome = async (ref: string): Promise<string> => {
      const include = `include: {project: ${library.full_path.toUpperCase()}, file: ci.yml${ref}}`
      return outcomeOf(setting, await commit(home, { '.gitlab-ci.yml': include }))
    }
    expect(await outcome('')).toContain('not found or access denied!')
    await joinLibrary(setting)
    expect(await outcome('')).toBe('more new')
    expect(await outcome(', ref: main')).toBe('more new')
    expect(await outcome(', ref: v1')).toBe('old')
    expect(await outcome(`, ref: ${old}`)).toBe('old')
    expect(await outcome(', ref: v2')).toContain('reference `v2` does not exist!')
    expect(await outcome(', ref: main~1')).toContain('reference `main~1` does not exist!')
  })

  testAtNight('components by version, the newest tag of a line among them', async () => {
    const setting = await openSetting()
    const { home, library, commit } = setting
    await joinLibrary(setting)
    for (const version of ['1.0.0', '1.10.0', '1.9.0']) {
      await commit(library, { 'templates/lint.yml': job(`lint-${version}`) }, `refs/tags/${version}`)
    }
    const outcome = async (version: string): Promise<string> => {
      const include = `include: {component: $CI_SERVER_FQDN/${library.full_path}/lint@${version}}`
      return outcomeOf(setting, await commit(home, { '.gitlab-ci.yml': include }))
    }
    expect(await outcome('~latest')).toBe('lint-1.10.0')
    expect(await outcome('1')).toBe('lint-1.10.0')
    expect(await outcome('1.9')).toBe('lint-1.9.0')
    expect(await outcome('1.0.0')).toBe('lint-1.0.0')
    expect(await outcome('2')).toContain('The partial semantic version reference is not supported')
    expect(await outcome('3.0.0')).toContain('content not found')
  })

  testAtNight('remote files, of the local network only when the instance says so', async () => {
    const { url } = await webServer((_, response) => response.end(job('remote')))
    const outcome = async (settings: TestServicesOptions['settings']): Promise<string> => {
      const setting = await openSetting(settings)
      return outcomeOf(
        setting,
        await setting.commit(setting.home, { '.gitlab-ci.yml': `include: ${url}/ci.yml` }),
      )
    }
    expect(await outcome({})).toContain('requests to it are not allowed')
    expect(await outcome({ egress: { allowLocalNetwork: true } })).toBe('remote')
  })

  test('as many files as the settings allow at that time', async () => {
    const setting = await openSetting()
    const sha = await setting.commit(setting.home, {
      '.gitlab-ci.yml': 'include: [a.yml, b.yml]',
      'a.yml': job('a'),
      'b.yml': job('b'),
    })
    await setSettings(setting.services, { ci_max_includes: 1 })
    expect(await outcomeOf(setting, sha)).toContain('Maximum of 1 nested includes are allowed!')
    await setSettings(setting.services, { ci_max_includes: 2 })
    expect(await outcomeOf(setting, sha)).toBe('a b')
  })

  test('no template that is not there', async () => {
    const setting = await openSetting()
    const sha = await setting.commit(setting.home, {
      '.gitlab-ci.yml': 'include: {template: No.gitlab-ci.yml}',
    })
    expect(await outcomeOf(setting, sha)).toBe('Included file `No.gitlab-ci.yml` is empty or does not exist!')
  })

  testAtNight('what its rules let through, by the files that the push changed', async () => {
    const setting = await openSetting()
    const { home, commit } = setting
    const text = `include: [{local: a.yml, rules: [{changes: [src/*]}]}]\n${job('main')}`
    const before = await commit(home, { '.gitlab-ci.yml': text, 'a.yml': job('a') })
    const same = await commit(home, { '.gitlab-ci.yml': text, 'a.yml': job('a'), readme: 'x' })
    const changed = await commit(home, { '.gitlab-ci.yml': text, 'a.yml': job('a'), 'src/x': 'x' })
    expect(await outcomeOf(setting, same, { beforeSha: before })).toBe('main')
    expect(await outcomeOf(setting, changed, { beforeSha: before })).toBe('a main')
  })
})

describe('the CI file of a project', () => {
  const outcomeAt = async (setting: Setting, path: string): Promise<string> => {
    const sha = await setting.services.repositories.resolveCommit(setting.home.id, 'main')
    return outcomeOf(setting, sha ?? '', { project: { ...setting.home, ci_config_path: path } })
  }

  test('may have another path, or stand in another project', async () => {
    const setting = await openSetting()
    const { home, library, commit } = setting
    await commit(home, { 'dir/ci.yml': job('own'), 'x.yml': job('x') })
    await commit(library, { 'ci.yml': `include: x.yml\n${job('theirs')}`, 'x.yml': job('their-x') })
    await commit(library, { 'ci.yml': job('tagged') }, 'refs/tags/v1')
    expect(await outcomeAt(setting, 'dir/ci.yml')).toBe('own')
    expect(await outcomeAt(setting, `ci.yml@${library.full_path}`)).toContain('not found or access denied!')
    await joinLibrary(setting)
    expect(await outcomeAt(setting, `ci.yml@${library.full_path}`)).toBe('their-x theirs')
    expect(await outcomeAt(setting, `ci.yml@${library.full_path}:v1`)).toBe('tagged')
    expect(await outcomeAt(setting, `no.yml@${library.full_path}`)).toContain('file `no.yml` does not exist!')
    expect(await outcomeAt(setting, 'no.yml')).toBe('Missing CI config file')
  })

  test('may be behind an address', async () => {
    const { url } = await webServer((_, response) => response.end(job('remote')))
    const setting = await openSetting({ egress: { allowLocalNetwork: true } })
    await setting.commit(setting.home, { x: 'x' })
    expect(await outcomeAt(setting, `${url}/ci.yml`)).toBe('remote')
  })

  testAtNight('that is too large is a wrong file', async () => {
    const setting = await openSetting()
    const large = `${job('a')}# ${'x'.repeat(5_000_000)}`
    const sha = await setting.commit(setting.home, { '.gitlab-ci.yml': large })
    expect(await outcomeOf(setting, sha)).toBe('The provided YAML is too big')
    const other = await setting.commit(setting.home, {
      '.gitlab-ci.yml': 'include: large.yml',
      'large.yml': large,
    })
    expect(await outcomeOf(setting, other)).toContain('The provided YAML is too big')
  })
})
