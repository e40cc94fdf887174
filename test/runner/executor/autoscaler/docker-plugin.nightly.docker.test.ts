import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { execa } from 'execa'
import { describe, expect, test } from 'vitest'

import { DockerPlugin } from '../../../../src/runner/executor/docker/autoscaler/plugins/docker-plugin.js'
import { connectEngine } from '../../../../src/runner/executor/docker/connect-engine.js'
import { busyboxImage } from '../../../support/docker-image.js'
import { onFinished } from '../../../support/lifetime.js'
import { canStartEngine } from '../../../support/private-engine.js'
import { tempDir } from '../../../support/temp-dir.js'

const NEVER = new AbortController().signal
const NAME = 'ci-0000000a'

/** Engines of their own need root and `dockerd`. */
describe.skipIf(!canStartEngine)('plugin "docker"', () => {
  test('creates an engine with images, and deletes it with all of its processes', async () => {
    const folder = await tempDir()
    const image = await busyboxImage()
    const plugin = new DockerPlugin({ kind: 'docker', images: [image] }, 'ci', folder)
    onFinished(() => plugin.delete({ name: NAME }))
    await plugin.create(NAME)
    expect(await plugin.list()).toEqual([{ name: NAME }])
    const engine = connectEngine(await plugin.connect({ name: NAME }, NEVER))
    const container = await engine.createContainer({
      Image: image,
      Cmd: ['sleep', '1000'],
      HostConfig: { NetworkMode: 'none' },
    })
    await container.start()
    const { State: state } = await container.inspect()
    expect(state.Running).toBe(true)
    await plugin.delete({ name: NAME })
    await plugin.delete({ name: NAME })
    expect(await plugin.list()).toEqual([])
    expect(existsSync(join(folder, NAME))).toBe(false)
  })

  test('does not list an engine that was killed, and removes its files', async () => {
    const folder = await tempDir()
    const plugin = new DockerPlugin({ kind: 'docker', images: [] }, 'ci', folder)
    onFinished(() => plugin.delete({ name: NAME }))
    await plugin.create(NAME)
    await plugin.connect({ name: NAME }, NEVER)
    process.kill(Number(await readFile(join(folder, NAME, 'pid'), 'utf8')), 'SIGKILL')
    await expect.poll(() => plugin.list()).toEqual([])
    expect(existsSync(join(folder, NAME))).toBe(false)
  })

  test('removes the files of an engine that was killed at the next attempt, if they are in use', async () => {
    const folder = await tempDir()
    const plugin = new DockerPlugin({ kind: 'docker', images: [] }, 'ci', folder)
    const data = join(folder, NAME, 'data')
    await mkdir(data, { recursive: true })
    await writeFile(join(folder, NAME, 'pid'), '4194305')
    await execa('mount', ['-t', 'tmpfs', 'tmpfs', data])
    try {
      await expect(plugin.list()).rejects.toThrow('EBUSY')
    } finally {
      await execa('umount', [data])
    }
    expect(await plugin.list()).toEqual([])
    expect(existsSync(join(folder, NAME))).toBe(false)
  })
})
