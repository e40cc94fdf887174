import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

import Docker from 'dockerode'
import { describe, expect, test } from 'vitest'

import { writeTar } from '../../../src/archive/tar-writer.js'
import { createLogger } from '../../../src/lib/logger.js'
import { KnownCapabilities } from '../../../src/runner/executor/docker/capabilities/read-capabilities.js'
import { connectEngine } from '../../../src/runner/executor/docker/connect-engine.js'
import { lookupLabels } from '../../../src/runner/executor/docker/containers/labels.js'
import { FileSharing } from '../../../src/runner/executor/docker/file-sharing.js'
import type { JobEnvironment } from '../../../src/runner/executor/executor.js'
import { busyboxImage } from '../../support/docker-image.js'
import { canStartEngine, PrivateEngine } from '../../support/private-engine.js'
import { tempDir } from '../../support/temp-dir.js'
import { type Bench, NEVER, openBench, RecordedLog } from './docker-jobs.js'
import { openEngineDoor } from './engine-door.js'

const PLACE = {
  mounts: [{ hostPath: undefined, containerPath: '/builds/group', readOnly: false }],
  workingDirectory: '/builds/group/project',
  scriptPath: '/builds/group/script',
  environment: {},
}
const ROOT = { uid: 0, gid: 0 }

async function prepare(bench: Bench): Promise<JobEnvironment> {
  const environment = await bench.executor.prepare(bench.job(), new RecordedLog(), NEVER)
  environment.open(() => PLACE)
  return environment
}

async function putScript({ files }: JobEnvironment, content: string): Promise<void> {
  const item = { kind: 'file' as const, name: 'script', owner: ROOT, content, mode: 0o644 }
  await files?.put('/builds/group', writeTar([item]))
}

describe('detection of file sharing', () => {
  test('mounts directories if the engine sees them, and leaves no probe container', async () => {
    const sharedDir = join(await tempDir(), 'data')
    const bench = await openBench({ image: await busyboxImage(), workspace: 'auto', sharedDir })
    const { files } = await bench.executor.prepare(bench.job(), new RecordedLog(), NEVER)
    expect(files).toBeUndefined()
    expect(await readdir(sharedDir)).toEqual([])
    expect(await bench.containers()).toEqual([])
  })

  test.skipIf(!canStartEngine)('uses a volume if the engine sees other files', async () => {
    const sharedDir = await tempDir()
    await mkdir(join(sharedDir, 'data'))
    const engine = await PrivateEngine.start({ hides: sharedDir })
    const image = await busyboxImage()
    await engine.take(image)
    const settings = { image, host: engine.host, networkMode: 'none', workspace: 'auto' as const }
    const bench = await openBench({ ...settings, sharedDir: join(sharedDir, 'data') })
    const { files } = await bench.executor.prepare(bench.job(), new RecordedLog(), NEVER)
    expect(files).toBeDefined()
    expect(await readdir(join(sharedDir, 'data'))).toEqual([])
    expect(await engine.docker.listContainers({ all: true })).toEqual([])
  })

  test('is repeated for the next job if the engine did not respond', async () => {
    const door = await openEngineDoor()
    const image = await busyboxImage()
    const sharedDir = join(await tempDir(), 'data')
    const settings = { image, host: door.host, engineAwaySeconds: 0, workspace: 'auto' as const, sharedDir }
    const bench = await openBench(settings)
    const { Id: id } = await new Docker().getImage(image).inspect()
    const docker = connectEngine(bench.settings)
    const sharing = new FileSharing(
      docker,
      new KnownCapabilities(docker),
      bench.settings,
      lookupLabels(bench.settings),
      createLogger('test', 'silent'),
    )
    door.shut()
    await expect(sharing.isShared(id)).rejects.toMatchObject({ reason: 'runner_system_failure' })
    expect(await readdir(sharedDir)).toEqual([])
    door.open()
    expect(await sharing.isShared(id)).toBe(true)
  })
})

describe('job volume', () => {
  test('is filled before the first script and read after the last, without following links', async () => {
    const bench = await openBench({ image: await busyboxImage(), networkMode: 'none', workspace: 'volume' })
    const environment = await prepare(bench)
    await putScript(environment, 'mkdir dir; echo made > dir/file; ln -s dir link; ln -s /etc etc')
    const log = new RecordedLog()
    expect(await environment.run({ name: 'script' }, log, NEVER)).toEqual({ exitCode: 0 })
    const get = async (name: string) => {
      const archive = await environment.files?.get('/builds/group', name)
      return archive instanceof Readable ? await text(archive) : undefined
    }
    expect(await get('project/dir/file')).toContain('made\n')
    for (const name of ['project/link/file', 'project/etc/passwd', 'project/none', 'project/dir/file/x']) {
      expect(await get(name)).toBeUndefined()
    }
    expect(await get('project/link')).not.toContain('made')
    await environment.cleanUp()
    await environment.cleanUp()
    expect(await bench.containers()).toEqual([])
  })

  test('is reused by a later process, which may fill it again', async () => {
    const bench = await openBench({ image: await busyboxImage(), networkMode: 'none', workspace: 'volume' })
    const first = await prepare(bench)
    const { record } = first
    await putScript(first, 'exit 1')
    // The process ended before it could note which container it made.
    const second = await bench.executor.adopt(bench.job(), record, new RecordedLog())
    second.open(() => PLACE)
    await putScript(second, 'exit 7')
    expect(await second.run({ name: 'script' }, new RecordedLog(), NEVER)).toEqual({ exitCode: 7 })
    const third = await bench.executor.adopt(bench.job(), second.record, new RecordedLog())
    third.open(() => PLACE)
    expect(await third.run({ name: 'again' }, new RecordedLog(), NEVER)).toEqual({ exitCode: 7 })
    await third.cleanUp()
    expect(await bench.containers()).toEqual([])
  })

  test('of a killed runner is removed at the next start, unless its job continues', async () => {
    const bench = await openBench({ image: await busyboxImage(), networkMode: 'none', workspace: 'volume' })
    const environment = await prepare(bench)
    await putScript(environment, 'true')
    const { workspaceVolume } = environment.record
    const volume = `volume ${String(workspaceVolume)}`
    await bench.executor.removeLeftovers(new Set([bench.job().jobId]))
    expect(await bench.containers()).toContain(volume)
    await new Docker().getContainer(String(environment.record['containerId'])).remove({ v: true })
    expect(await bench.containers()).toEqual([volume])
    await bench.executor.removeLeftovers(new Set())
    expect(await bench.containers()).toEqual([])
  })
})
