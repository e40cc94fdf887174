import { readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

import { parse } from 'smol-toml'
import { describe, expect, onTestFinished, test } from 'vitest'

import { createLogger } from '../../../src/lib/logger.js'
import { CoordinatorClient } from '../../../src/runner/client/coordinator-client.js'
import type { StoredToken } from '../../../src/runner/config/config-changes.js'
import {
  rotateToken,
  rotationTime,
  type TokenRotationOptions,
} from '../../../src/runner/registrations/token-rotation.js'
import { WorkspaceFolders } from '../../../src/runner/registrations/workspace-folders.js'
import { jobPayload } from '../../support/job-payload.js'
import { MisbehavingCoordinator } from '../../support/misbehaving-coordinator.js'
import { configText, daemonUnderTest } from '../../support/running-daemon.js'
import { runnerUnderTest } from '../../support/running-runner.js'
import { tempDir } from '../../support/temp-dir.js'

const waitFor = (file: string) => ({
  name: 'script',
  script: [`while [ ! -e ${file} ]; do sleep 0.05; done`],
})
const LONG_AGO = new Date('2020-01-01T00:00:00Z')
const FAR = new Date('2999-01-01T00:00:00Z')
/** Three quarters of its time are over. */
const DUE = { obtainedAt: LONG_AGO, expiresAt: new Date(LONG_AGO.getTime() + 1000) }

test.each([
  ['three quarters of its life', '2026-01-01', '2026-01-05', '2026-01-04T00:00:00.000Z'],
  ['of a token that is over, in the past', '2020-01-01', '2020-01-02', '2020-01-01T18:00:00.000Z'],
  ['counted from now when nobody knows since when', undefined, '2026-07-13', '2026-07-10T00:00:00.000Z'],
])('a token is rotated after %s', (_, obtained, expires, expected) => {
  const lifetime = { obtainedAt: obtained ? new Date(obtained) : undefined, expiresAt: new Date(expires) }
  const now = Date.parse('2026-07-01')
  expect(new Date(rotationTime(lifetime, now)).toISOString()).toBe(expected)
})

describe('token rotation', () => {
  async function rotation(changes: Partial<TokenRotationOptions> = {}, check = async () => {}) {
    const coordinator = await MisbehavingCoordinator.start()
    onTestFinished(() => coordinator.stop())
    const client = new CoordinatorClient({ url: coordinator.url, token: 'glrt-runner-token', systemId: 's' })
    onTestFinished(() => client.close())
    const saved: StoredToken[] = []
    const heard: string[] = []
    const stop = new AbortController()
    const save = async (stored: StoredToken) => void saved.push(stored)
    const options = {
      lifetime: DUE,
      isDisabled: false,
      client,
      store: { check, save },
      onToken: async (token: string) => void heard.push(token),
      logger: createLogger('test', 'silent'),
      timings: { retry: 1 },
      ...changes,
    }
    return { coordinator, client, saved, heard, stop, run: () => rotateToken(options, stop.signal) }
  }

  test('ends with a token that does not expire, which is used and saved', async () => {
    const { coordinator, client, saved, heard, run } = await rotation()
    await run()
    expect(saved).toMatchObject([{ token: 'glrt-replaced-1', expiresAt: undefined }])
    expect(heard).toEqual(['glrt-replaced-1'])
    await client.verifyRunner()
    expect(JSON.parse(coordinator.callsOf('verify')[0]?.body.toString() ?? '')).toMatchObject({
      token: 'glrt-replaced-1',
    })
  })

  test('uses the current token, and waits for the next time', async () => {
    const { coordinator, saved, stop, run } = await rotation({ onToken: async () => stop.abort() })
    coordinator.tokenExpiresAt = FAR.toISOString()
    await run()
    expect(coordinator.callsOf('reset')).toHaveLength(1)
    expect(JSON.parse(coordinator.callsOf('reset')[0]?.body.toString() ?? '')).toEqual({
      token: 'glrt-runner-token',
    })
    expect(saved[0]?.expiresAt).toEqual(FAR)
  })

  test('is retried when the coordinator fails', async () => {
    const { coordinator, saved, run } = await rotation()
    coordinator.misbehave('reset', 'cut', { status: 404 }, 'cut')
    await run()
    expect(coordinator.callsOf('reset')).toHaveLength(4)
    expect(saved).toHaveLength(1)
  })

  test('ends when the coordinator does not know the token', async () => {
    const { coordinator, saved, run } = await rotation()
    coordinator.misbehave('reset', { status: 403 })
    await run()
    expect(coordinator.callsOf('reset')).toHaveLength(1)
    expect(saved).toEqual([])
  })

  test('is not requested if the current token could not be saved', async () => {
    let checks = 0
    const check = async () => {
      if (++checks < 3) throw new Error('read-only')
    }
    const { coordinator, saved, run } = await rotation({}, check)
    coordinator.onCall = async () => expect(checks).toBe(3)
    await run()
    expect(coordinator.callsOf('reset')).toHaveLength(1)
    expect(saved).toHaveLength(1)
  })

  test('retries saving a new token', async () => {
    const tokens: string[] = []
    let failures = 3
    const save = async ({ token }: StoredToken) => {
      if (failures-- > 0) throw new Error('disk full')
      tokens.push(token)
    }
    const { coordinator, run } = await rotation({ store: { check: async () => {}, save } })
    await run()
    expect(tokens).toEqual(['glrt-replaced-1'])
    expect(coordinator.callsOf('reset')).toHaveLength(1)
  })

  test('can be disabled', async () => {
    const { coordinator, run } = await rotation({ isDisabled: true })
    await run()
    expect(coordinator.calls).toEqual([])
  })
})

describe('daemon with an expiring token', () => {
  test('uses the new token in requests, settings and the running job', async () => {
    const configFile = join(await tempDir(), 'config.toml')
    const { coordinator } = await runnerUnderTest({
      registration: { tokenLifetime: DUE },
      settings: { configFile },
      prepare: async (coordinator) => {
        coordinator.offer(jobPayload())
        await writeFile(
          configFile,
          `# mine\n[[runners]]\nurl = "${coordinator.url}"\ntoken = "glrt-runner-token" \nname = "x"\n`,
        )
      },
    })
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
    expect(coordinator.finalUpdate(124)?.state).toBe('success')
    await coordinator.until(() =>
      coordinator.callsOf('request').some((call) => call.body.toString().includes('glrt-replaced-1')),
    )
    const text = await readFile(configFile, 'utf8')
    expect(text.startsWith('# mine\n')).toBe(true)
    expect(parse(text)).toMatchObject({ runners: [{ token: 'glrt-replaced-1', name: 'x' }] })
  })

  test('keeps the registration when the settings are reloaded: job numbers and workspaces stay', async () => {
    const soon = `token_obtained_at = ${LONG_AGO.toISOString()}\ntoken_expires_at = ${DUE.expiresAt.toISOString()}\n`
    const { coordinator, daemon, directory, dataDir, configFile } = await daemonUnderTest((url) =>
      configText(url, [{}], 'concurrent = 2').replace('[runners.docker]', `${soon}[runners.docker]`),
    )
    coordinator.offer(jobPayload({ steps: [waitFor(`${directory}/go`)] }))
    await coordinator.until(() => coordinator.trace(124).includes('$ while'))
    await coordinator.until(() =>
      coordinator.callsOf('request').some((call) => call.body.toString().includes('glrt-replaced-1')),
    )
    const text = await readFile(configFile, 'utf8')
    expect(text).toContain('glrt-replaced-1')
    await daemon.reload()
    expect(daemon.runner.entries()).toMatchObject([{ running: 1 }])
    coordinator.offer(
      jobPayload({ id: 125, steps: [{ name: 'script', script: ['echo "number $CI_CONCURRENT_ID"'] }] }),
    )
    await coordinator.until(() => coordinator.finalUpdate(125) !== undefined)
    expect(coordinator.trace(125)).toContain('\nnumber 1\n')
    await writeFile(`${directory}/go`, '')
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
    const later = await WorkspaceFolders.open(dataDir, createLogger('test', 'silent'))
    const entry = { url: coordinator.url, token: 'glrt-runner-token' }
    const before = (await WorkspaceFolders.open(await tempDir(), createLogger('test', 'silent'))).of(entry)
    expect(basename(later.of({ ...entry, token: 'glrt-replaced-1' }))).toBe(basename(before))
  })
})
