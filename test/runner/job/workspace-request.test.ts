import { expect, test } from 'vitest'

import { clonePath, workspaceRequest } from '../../../src/runner/job/prepare-executor.js'
import { jobPayload } from '../../support/job-payload.js'

test.each([
  ['', undefined],
  ['/builds/go/src/app', '/builds/go/src/app'],
  ['/builds/./a/../b/', '/builds/b'],
  ['go/app', '/builds/go/app'],
])('a job may set its project directory to %j', (text, expected) => {
  expect(clonePath(text, '/builds', true)).toBe(expected)
})

test.each([
  '/',
  '/builds',
  '/builds/..',
  '/builds/../etc',
  '../etc',
  '/builds-of-others/x',
  '/builds/a:/etc:rw',
])('a job may not set its project directory to %j', (text) => {
  expect(() => clonePath(text, '/builds', true)).toThrow('is not below /builds')
})

test('a runner may forbid custom project directories', () => {
  expect(() => clonePath('/builds/a', '/builds', false)).toThrow('custom_build_dir')
  expect(clonePath('', '/builds', false)).toBeUndefined()
})

const NEEDS = {
  concurrentProjectId: 2,
  registration: {
    buildsDir: undefined,
    cloneUrl: undefined,
    isClonePathAllowed: true,
    docker: { image: 'busybox' },
  },
  valuesIn: () => new Map<string, string>(),
}

test('the workspace depends on the project, its trust and the variables', () => {
  const payload = jobPayload()
  expect(workspaceRequest({ ...NEEDS, payload })).toEqual({
    projectId: 7,
    projectPath: 'group/app',
    concurrentProjectId: 2,
    isProtected: false,
    repositoryUrl: payload.git_info.repo_url,
  })
  const request = workspaceRequest({
    ...NEEDS,
    payload: jobPayload({ git_info: { ...payload.git_info, protected: true } }),
    registration: {
      buildsDir: '/ci',
      cloneUrl: undefined,
      isClonePathAllowed: true,
      docker: { image: 'busybox', cpus: 1.5 },
    },
    valuesIn: ({ buildsDir, projectDir }) =>
      new Map([
        ['GIT_CLONE_PATH', `${buildsDir}/here`],
        ['GIT_STRATEGY', projectDir === '/ci/group/app' ? 'empty' : 'none'],
      ]),
  })
  expect(request).toMatchObject({
    isProtected: true,
    buildsDir: '/ci',
    projectDir: '/ci/here',
    isEmpty: true,
    cores: 1,
  })
})
