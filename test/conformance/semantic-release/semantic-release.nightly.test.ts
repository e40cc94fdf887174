import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { execa } from 'execa'
import { expect, test } from 'vitest'

import { ensureSemanticRelease } from '../../../scripts/setup/semantic-release.mjs'
import { commit, gitOk } from '../../support/git-client.js'
import { type ServedProject, Service } from '../support/service.js'

const SETTINGS = {
  branches: ['main'],
  plugins: [
    '@semantic-release/commit-analyzer',
    '@semantic-release/release-notes-generator',
    ['@semantic-release/gitlab', { successCommentCondition: false, failCommentCondition: false }],
  ],
}

/** Runs the tool as a job does that has the token of a person in `GITLAB_TOKEN`. */
async function release(program: string, service: Service, project: ServedProject): Promise<string> {
  const { stdout } = await execa(process.execPath, [program], {
    cwd: project.workTree,
    extendEnv: false,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: '/nonexistent',
      GIT_CONFIG_NOSYSTEM: '1',
      CI: 'true',
      GITLAB_CI: 'true',
      GITLAB_TOKEN: service.root.token,
      GITLAB_URL: service.url,
      CI_SERVER_URL: service.url,
      CI_API_V4_URL: `${service.url}/api/v4`,
      CI_PROJECT_URL: `${service.url}/${project.path}`,
      CI_PROJECT_PATH: project.path,
      CI_PROJECT_DIR: project.workTree,
      CI_COMMIT_REF_NAME: 'main',
      CI_COMMIT_SHA: await gitOk(project.workTree, 'rev-parse', 'HEAD'),
      CI_PIPELINE_ID: '1',
      CI_JOB_ID: '1',
    },
  })
  return stdout
}

test('semantic-release tags a commit and makes its release, and the next one', async () => {
  const program = await ensureSemanticRelease()
  const service = await Service.start()
  const project = await service.addProject()
  const { workTree } = project
  await gitOk(workTree, 'remote', 'add', 'origin', `${service.url}/${project.path}.git`)
  await commitWith(project, 'feat: greet the world')
  const sha = await service.push(project, { '.releaserc.json': JSON.stringify(SETTINGS) })
  expect(await release(program, service, project)).toContain('Published release 1.0.0')
  const P = `/projects/${project.id}`
  const tag = await service.json<{ commit: { id: string } }>('GET', `${P}/repository/tags/v1.0.0`)
  expect(tag.commit.id).toBe(sha)
  const first = await service.json<{ tag_name: string; description: string }>('GET', `${P}/releases/v1.0.0`)
  expect(first.tag_name).toBe('v1.0.0')
  expect(first.description).toContain('### Features')
  expect(first.description).toContain('greet the world')

  await commitWith(project, 'fix: greet politely')
  await service.push(project, {})
  expect(await release(program, service, project)).toContain('Published release 1.0.1')
  const releases = await service.json<{ tag_name: string }[]>('GET', `${P}/releases`)
  expect(releases.map(({ tag_name }) => tag_name)).toEqual(['v1.0.1', 'v1.0.0'])
})

async function commitWith({ workTree }: ServedProject, message: string): Promise<void> {
  await writeFile(join(workTree, 'greeting.txt'), message)
  await commit(workTree, {})
  await gitOk(workTree, 'commit', '--quiet', '--amend', '-m', message)
}
