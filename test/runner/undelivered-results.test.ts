import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { jobPayload } from '../support/job-payload.js'
import type { MisbehavingCoordinator } from '../support/misbehaving-coordinator.js'
import { runnerUnderTest } from '../support/running-runner.js'

describe('undelivered job result', () => {
  test('is stored with its log and delivered later, while the runner does other work', async () => {
    const { coordinator, directory } = await runnerUnderTest({ registration: { finalUpdateTries: 1 } })
    const back = goAway(coordinator)
    coordinator.offer(jobPayload({ steps: [{ name: 'script', script: ['echo printed'] }] }))
    await coordinator.until(() => isFinalTried(coordinator))
    back()
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
    expect(coordinator.finalUpdate(124)).toMatchObject({ state: 'success' })
    expect(coordinator.trace(124)).toMatch(/printed\n[^]*Job succeeded/)
    coordinator.offer(jobPayload({ id: 125 }))
    await coordinator.until(() => coordinator.finalUpdate(125) !== undefined)
    expect(kept(directory)).not.toContain('124')
  })

  test('is delivered by the next process', async () => {
    const first = await runnerUnderTest({
      registration: { finalUpdateTries: 1 },
      settings: { shutdownTimeoutSeconds: 5 },
    })
    const { coordinator, directory } = first
    const back = goAway(coordinator)
    coordinator.offer(jobPayload({ steps: [{ name: 'script', script: ['echo printed; exit 3'] }] }))
    await coordinator.until(() => isFinalTried(coordinator))
    await first.runner.stopGracefully()
    expect(kept(directory)).toEqual(['124'])
    const [folder = ''] = readdirSync(join(directory, 'data', 'jobs'))
    expect(modes(join(directory, 'data', 'jobs', folder))).toEqual(['600', '600', '600'])

    back()
    await runnerUnderTest({ after: first })
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
    expect(coordinator.finalUpdate(124)).toMatchObject({
      state: 'failed',
      failure_reason: 'script_failure',
      exit_code: 3,
    })
    expect(coordinator.trace(124)).toMatch(/printed\n[^]*exit code 3/)
  })
})

test('artifacts for an unavailable coordinator are stored and delivered before the result', async () => {
  const first = await runnerUnderTest({ registration: { finalUpdateTries: 1 } })
  const { coordinator, directory, workspaces } = first
  workspaces.files = ['file']
  const back = goAway(coordinator)
  const artifacts = [{ paths: ['file'] }, { name: 'second', paths: ['file'], artifact_type: 'archive' }]
  coordinator.offer(jobPayload({ artifacts }))
  await coordinator.until(() => coordinator.callsOf('upload').length === 6)
  await first.runner.stopGracefully()
  expect(kept(directory)).toEqual(['124'])

  back()
  const { runner } = await runnerUnderTest({ after: first })
  await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
  expect(coordinator.finalUpdate(124)).toMatchObject({ state: 'success' })
  const calls = coordinator.calls.map(({ route }) => route)
  expect(calls.slice(calls.lastIndexOf('upload'))).toContain('trace')
  const [given, second] = coordinator.callsOf('upload').slice(-2)
  expect(given?.body.toString()).toContain('zip of file')
  expect(second?.body.toString()).toContain('filename="second.zip"')
  expect(coordinator.trace(124)).toContain('The runner keeps the artifact and uploads it later')
  await runner.stopGracefully()
  expect(kept(directory)).toEqual([])
})

test('the result of a job is delivered although its registration was removed', async () => {
  const first = await runnerUnderTest({ registration: { finalUpdateTries: 1 } })
  const { coordinator, directory } = first
  const back = goAway(coordinator)
  coordinator.offer(jobPayload())
  await coordinator.until(() => isFinalTried(coordinator))
  await first.runner.stopGracefully()
  back()
  const { runner } = await runnerUnderTest({ after: first, registration: { url: 'http://127.0.0.1:9' } })
  await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
  expect(coordinator.finalUpdate(124)).toMatchObject({ state: 'success' })
  await runner.stopGracefully()
  expect(kept(directory)).toEqual([])
})

/** Cuts every call about a job; the response ends that. */
function goAway(coordinator: MisbehavingCoordinator): () => void {
  const cuts = Array.from({ length: 1000 }, () => 'cut' as const)
  coordinator.misbehave('trace', ...cuts)
  coordinator.misbehave('update', ...cuts)
  coordinator.misbehave('upload', ...cuts)
  return () => coordinator.behaveAgain()
}

/** Without an accepted log no result is sent, so the log's last piece is what is looked for. */
function isFinalTried(coordinator: MisbehavingCoordinator): boolean {
  return coordinator.callsOf('trace').some(({ body }) => /Job (succeeded|failed)/.test(body.toString()))
}

function kept(directory: string): string[] {
  return readdirSync(join(directory, 'data', 'jobs')).map((name) => name.split('-')[0] ?? '')
}

function modes(folder: string): string[] {
  return readdirSync(folder).map((name) => (statSync(join(folder, name)).mode & 0o777).toString(8))
}
