import { afterEach, beforeEach, expect, test } from 'vitest'

import { openPostgres } from '../support/databases.js'
import { System } from './support/system.js'

let system: System

beforeEach(async () => {
  const { settings } = await openPostgres()
  system = await System.start(settings)
})

afterEach(async () => {
  await system.stop()
})

test('a push to one coordinator wakes the runner that waits at the other', async () => {
  const other = await system.startSecondCoordinator()
  await system.startRunner({ url: other })
  const project = await system.createProject()
  const pipeline = await project.pushCi('build: {script: ["echo built"]}')
  expect((await project.finished(pipeline)).status).toBe('success')
})
