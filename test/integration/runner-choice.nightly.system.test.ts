import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { System } from './support/system.js'

describe('two runners with different tags', () => {
  let system: System

  beforeAll(async () => {
    system = await System.startInProcess()
    await system.startRunner({ tags: ['red'], runUntagged: false })
    await system.startRunner({ tags: ['blue'], runUntagged: false })
  })

  afterAll(async () => {
    await system.stop()
  })

  test('each get only the jobs that are theirs', async () => {
    const project = await system.createProject()
    const pipeline = await project.pushCi(`
red 1: {tags: [red], script: ["echo red"]}
blue 1: {tags: [blue], script: ["echo blue"]}
red 2: {tags: [red], script: ["echo red"]}
blue 2: {tags: [blue], script: ["echo blue"]}
nobody: {tags: [red, blue], allow_failure: true, script: ["echo nobody"]}
`)
    for (const name of ['red 1', 'red 2', 'blue 1', 'blue 2']) {
      const job = await project.jobIn(pipeline, name, 'success')
      expect(job.runner?.description).toBe(name.startsWith('red') ? 'runner-0' : 'runner-1')
    }
    expect(await project.job(pipeline, 'nobody')).toMatchObject({ status: 'pending', runner: null })
    const canceled = await project.request('POST', `/pipelines/${pipeline.id}/cancel`)
    expect(canceled.status).toBe(200)
  })
})
