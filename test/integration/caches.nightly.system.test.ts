import { expect, onTestFinished, test } from 'vitest'

import { startPayloadProxy } from './support/payload-proxy.js'
import { System } from './support/system.js'

const CI_FILE = `
stages: [one, two, three]
make:
  stage: one
  tags: [first]
  script:
    - test ! -e vendor
    - mkdir -p vendor/bin && echo "made by $CI_JOB_NAME" > vendor/gem && echo run > vendor/bin/tool
    - chmod 755 vendor/bin/tool && ln -s gem vendor/current
use:
  stage: two
  tags: [second]
  script:
    - cat vendor/current
    - test -x vendor/bin/tool
again:
  stage: three
  tags: [first]
  script: [cat vendor/gem]
`

test('a cache works across build machines with no set-up', async () => {
  const system = await System.startInProcess()
  onTestFinished(() => system.stop())
  const url = await startPayloadProxy(system.api.url, { cache: [{ key: 'gems', paths: ['vendor/'] }] })
  await system.startRunner({ url, tags: ['first'] })
  await system.startRunner({ url, tags: ['second'] })
  const project = await system.createProject()
  const pipeline = await project.pushCi(CI_FILE)
  await project.finished(pipeline)
  const traceOf = async (name: string) => {
    const { id } = await project.job(pipeline, name)
    return system.api.trace(project.id, id)
  }
  expect(await project.failures(pipeline)).toEqual([])
  const [made, used, again] = [await traceOf('make'), await traceOf('use'), await traceOf('again')]
  expect(made).toMatch(/Checking cache for gems[^]*Uploaded the cache to: coordinator[^]*Created cache/)
  expect(used).toMatch(
    /Downloaded the cache from: coordinator[^]*Successfully extracted cache[^]*made by make/,
  )
  expect(used).toContain('Archive is up to date!')
  // The first machine has its own copy.
  expect(again).toMatch(/cache\.zip is up to date[^]*made by make/)
})
