import { expect, onTestFinished, test } from 'vitest'

import { canStartEngine, PrivateEngine } from '../support/private-engine.js'
import { System } from './support/system.js'

const CI_FILE = `
stages: [build, test]
build:
  stage: build
  script:
    - cat README; mkdir -p out
    - echo begun; sleep 6
    - echo content > out/file
  after_script: [cat out/file]
  artifacts: {paths: [out]}
test:
  stage: test
  script: [cat out/file README]
`

test.skipIf(!canStartEngine)(
  'jobs at an engine that does not see the files of the runner have theirs, and outlive it',
  async () => {
    const system = await System.startInProcess()
    onTestFinished(() => system.stop())
    const engine = await PrivateEngine.start({ hides: system.directory })
    await engine.take(system.image)
    await system.startRunner({ flags: ['--docker-host', engine.host] })
    const project = await system.createProject()
    const pipeline = await project.push({ README: 'read me\n', '.gitlab-ci.yml': CI_FILE })
    const build = await project.job(pipeline, 'build')
    await project.traceContaining(build, '\nbegun\n')
    await system.stopRunner('SIGKILL')
    await system.restartRunner()
    await project.finished(pipeline)
    expect(await project.failures(pipeline)).toEqual([])
    expect(await project.trace(build)).toContain('\ncontent\n')
    const next = await project.job(pipeline, 'test')
    expect(await project.trace(next)).toContain('content\nread me\n')
    await system.stopRunner('SIGQUIT')
    expect(await engine.docker.listContainers({ all: true })).toEqual([])
    expect((await engine.docker.listVolumes()).Volumes).toEqual([])
  },
)
