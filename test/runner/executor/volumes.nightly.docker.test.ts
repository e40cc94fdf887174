import { access } from 'node:fs/promises'
import { join } from 'node:path'

import Docker from 'dockerode'
import { expect, onTestFinished, test } from 'vitest'

import { ownLabels } from '../../../src/runner/executor/docker/containers/labels.js'
import { parseVolume } from '../../../src/runner/executor/docker/volumes/volume-entry.js'
import { busyboxImage } from '../../support/docker-image.js'
import { tempDir } from '../../support/temp-dir.js'
import { type Bench, openBench, runScripts } from './docker-jobs.js'

const docker = new Docker()

/** A bench with these `volumes`; what its jobs left in volumes is removed at the end. */
async function benchWith(volumes: string[], more: Partial<Bench['settings']> = {}): Promise<Bench> {
  const parsed = volumes.flatMap((text) => parseVolume(text) ?? [])
  const bench = await openBench({ image: await busyboxImage(), volumes: parsed, ...more })
  // Runs before the check of the bench that nothing is left.
  onTestFinished(async () => {
    for (const { Name: name } of await volumesOf(bench)) await docker.getVolume(name).remove()
  })
  return bench
}

async function volumesOf(bench: Bench) {
  const { Volumes: found } = await docker.listVolumes({ filters: { label: ownLabels(bench.settings) } })
  return found
}

const WRITE = 'echo "by $(id -u)" > /cache/file'
const READ = 'cat /cache/file 2>&1; true'

test('a volume of a container path is reused by the next job of its project, for any user', async () => {
  const bench = await benchWith(['/cache'])
  const image = { name: bench.settings.image, executor_opts: { docker: { user: '1000' } } }
  await runScripts(bench, [WRITE], { image })
  const { text } = await runScripts(bench, [`${READ}; ${WRITE}`])
  expect(text).toContain('by 1000\n')
  expect(await volumesOf(bench)).toMatchObject([
    {
      Name: expect.stringMatching(/^runner-[0-9a-f]{32}-cache-[0-9a-f]{32}$/) as string,
      Labels: {
        'com.gitlab.gitlab-runner.type': 'cache',
        'com.gitlab.gitlab-runner.destination': '/cache',
        'com.gitlab.gitlab-runner.protected': 'false',
        'com.gitlab.gitlab-runner.reusable': 'true',
      },
    },
  ])
})

test('other projects, concurrent jobs and untrusted jobs have separate volumes', async () => {
  const bench = await benchWith(['/cache'])
  await runScripts(bench, [WRITE], { isProtected: true })
  for (const other of [{ isProtected: false }, { projectId: 4 }, { concurrentProjectId: 9 }]) {
    const { text } = await runScripts(bench, [READ], { isProtected: true, ...other })
    expect(text).toContain('No such file')
  }
  expect((await runScripts(bench, [READ], { isProtected: true })).text).toContain('by 0')
})

test('with disable_cache volumes are deleted after the job', async () => {
  const bench = await benchWith(['/cache'], { disableCache: true })
  const { text } = await runScripts(bench, [WRITE, READ])
  expect(text).toContain('by 0')
  expect(await volumesOf(bench)).toEqual([])
})

test('with volume_keep volumes stay after the job', async () => {
  const bench = await benchWith(['/cache'], { disableCache: true, volumeKeep: true })
  await runScripts(bench, [WRITE])
  expect(await volumesOf(bench)).toHaveLength(1)
})

test('with cache_dir volumes are directories of the host', async () => {
  const cacheDir = await tempDir()
  const bench = await benchWith(['/cache'], { cacheDir })
  await runScripts(bench, [WRITE])
  expect((await runScripts(bench, [READ])).text).toContain('by 0')
  expect(await volumesOf(bench)).toEqual([])
})

test('options of the volume driver are passed to the engine', async () => {
  const bench = await benchWith(['/cache'], {
    volumeDriver: 'local',
    volumeDriverOps: { type: 'tmpfs', device: 'tmpfs', o: 'size=1m' },
  })
  const { text } = await runScripts(bench, ['df -k /cache | tail -1'])
  expect(text).toMatch(/tmpfs\s+1024/)
})

test('a host directory is mounted with its mode', async () => {
  const folder = await tempDir()
  const bench = await benchWith([`${folder}:/data:ro`, `${folder}:/writable`])
  const { text } = await runScripts(bench, ['echo x > /data/a; echo x > /writable/b; ls /data'])
  expect(text).toContain('Read-only file system')
  await access(join(folder, 'b'))
})

test('a volume whose variables expand to the root of the container is rejected', async () => {
  const bench = await benchWith(['/srv:$TARGET'])
  const running = runScripts(bench, ['true'], { expand: (text) => text.replace('$TARGET', '/') })
  await expect(running).rejects.toMatchObject({ reason: 'runner_configuration_error' })
})
