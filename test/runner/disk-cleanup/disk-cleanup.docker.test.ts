import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import Docker from 'dockerode'
import { describe, expect, onTestFinished, test } from 'vitest'

import { createLogger } from '../../../src/lib/logger.js'
import { cacheTarget } from '../../../src/runner/disk-cleanup/cache-target.js'
import { Claims } from '../../../src/runner/disk-cleanup/claims.js'
import type { CleanupItem, CleanupTarget } from '../../../src/runner/disk-cleanup/cleanup-target.js'
import { DiskCleanup } from '../../../src/runner/disk-cleanup/disk-cleanup.js'
import { differentDisks, diskOf } from '../../../src/runner/disk-cleanup/disk-space.js'
import { folderSize } from '../../../src/runner/disk-cleanup/folder-size.js'
import { guardWorkspaces } from '../../../src/runner/disk-cleanup/guard-workspaces.js'
import { imageTarget } from '../../../src/runner/disk-cleanup/image-target.js'
import { LruIndex } from '../../../src/runner/disk-cleanup/lru-index.js'
import type { Disk } from '../../../src/runner/disk-cleanup/usage.js'
import { volumeTarget } from '../../../src/runner/disk-cleanup/volume-target.js'
import { workspaceTarget } from '../../../src/runner/disk-cleanup/workspace-target.js'
import { createBindWorkspaceProvider } from '../../../src/runner/workspace/bind-workspace.js'
import { busyboxImage } from '../../support/docker-image.js'
import { tempDir } from '../../support/temp-dir.js'

const NEVER = new AbortController().signal
const DAY = 24 * 3_600_000
const docker = new Docker()
const logger = createLogger('test', 'silent')

async function openBook(now?: () => number): Promise<LruIndex> {
  return await LruIndex.open(join(await tempDir(), 'care', 'index.json'), logger, now)
}

async function removeAll(items: CleanupItem[]): Promise<boolean[]> {
  return await Promise.all(items.map((item) => item.remove()))
}

describe('cleanup of images', () => {
  async function ownImage(): Promise<{ name: string; id: string; tagged: string }> {
    const container = await docker.createContainer({
      Image: await busyboxImage(),
      Cmd: [randomBytes(9).toString('hex')],
    })
    const repo = `switchyard-test-care-${randomBytes(6).toString('hex')}`
    await container.commit({ repo, tag: '1' })
    await container.remove()
    const { Id: id } = await docker.getImage(`${repo}:1`).inspect()
    onTestFinished(async () => {
      await docker
        .getImage(id)
        .remove({ force: true })
        .catch(() => undefined)
    })
    return { name: `${repo}:1`, id, tagged: repo }
  }

  test('deletes images that the runner pulled and ignores others', async () => {
    const [own, other] = [await ownImage(), await ownImage()]
    const index = await openBook(() => 5)
    index.imagePulled(own.id, own.name)
    const target = imageTarget({ docker, diskId: 'd', index })
    const items = await target.list(NEVER)
    expect(items).toMatchObject([{ kind: 'image', name: own.name, lastUsed: 5, isInUse: false, diskId: 'd' }])
    expect(await removeAll(items)).toEqual([true])
    await expect(docker.getImage(own.id).inspect()).rejects.toMatchObject({ statusCode: 404 })
    expect((await docker.getImage(other.id).inspect()).Id).toBe(other.id)
    expect(index.pulledImages).toEqual([])
  })

  test('keeps images that a container uses', async () => {
    const { name, id } = await ownImage()
    const container = await docker.createContainer({ Image: id })
    onTestFinished(() => container.remove())
    const index = await openBook()
    index.imagePulled(id, name)
    const items = await imageTarget({ docker, diskId: 'd', index }).list(NEVER)
    expect(items).toMatchObject([{ isInUse: true }])
    expect(await removeAll(items)).toEqual([false])
  })

  test('keeps images with another tag', async () => {
    const { name, id, tagged } = await ownImage()
    const index = await openBook()
    index.imagePulled(id, name)
    const target = imageTarget({ docker, diskId: 'd', index })
    const before = await target.list(NEVER)
    await docker.getImage(id).tag({ repo: tagged, tag: 'mine' })
    expect(await target.list(NEVER)).toEqual([])
    expect(await removeAll(before)).toEqual([false])
  })

  test('removes deleted images from the index', async () => {
    const index = await openBook()
    index.imagePulled(`sha256:${'0'.repeat(64)}`, 'gone:1')
    expect(await imageTarget({ docker, diskId: 'd', index }).list(NEVER)).toEqual([])
    expect(index.pulledImages).toEqual([])
  })
})

test('cache volumes are deleted only if they belong to this runner and no container uses them', async () => {
  const systemId = `s_${randomBytes(6).toString('hex')}`
  const labels = (owner: string, type: string) => ({
    'com.gitlab.gitlab-runner.managed': 'true',
    'com.gitlab.gitlab-runner.type': type,
    'com.gitlab.gitlab-runner.runner.system_id': owner,
  })
  const create = async (Labels: Record<string, string>) => {
    const name = `switchyard-test-care-${randomBytes(6).toString('hex')}`
    await docker.createVolume({ Name: name, Labels })
    onTestFinished(async () => {
      await docker
        .getVolume(name)
        .remove()
        .catch(() => undefined)
    })
    return name
  }
  const [free, used] = [await create(labels(systemId, 'cache')), await create(labels(systemId, 'cache'))]
  await create(labels('somebody', 'cache'))
  await create(labels(systemId, 'other'))
  const container = await docker.createContainer({
    Image: await busyboxImage(),
    HostConfig: { Binds: [`${used}:/x`] },
  })
  onTestFinished(() => container.remove())
  const index = await openBook(() => 7)
  index.used('volumes', free)
  const items = await volumeTarget({ docker, diskId: 'd', index }, systemId).list(NEVER)
  expect(Object.fromEntries(items.map(({ name, isInUse }) => [name, isInUse]))).toEqual({
    [free]: false,
    [used]: true,
  })
  expect(items.find(({ name }) => name === free)?.lastUsed).toBe(7)
  const removed = await Promise.all(items.map(async (item) => [item.name, await item.remove()]))
  expect(Object.fromEntries(removed)).toEqual({ [free]: true, [used]: false })
})

describe('cleanup of workspaces', () => {
  async function bench() {
    const root = await tempDir()
    const entry = join(root, 'registration')
    const claims = new Claims()
    const index = await openBook()
    const mounted: string[] = []
    const provider = guardWorkspaces(createBindWorkspaceProvider({ root: entry }), entry, { claims, index })
    const parts = { root, diskId: 'd', claims, index, mountedPaths: () => Promise.resolve(mounted) }
    return { root, provider, mounted, target: workspaceTarget(parts) }
  }
  const request = { projectId: 7, projectPath: 'g/p', concurrentProjectId: 0, isProtected: false }

  test('keeps the workspace of a running job and deletes all of it afterwards', async () => {
    const { provider, target } = await bench()
    const workspace = await provider.open(request)
    const path = await workspace.writeTemporaryFile('x', 'y'.repeat(100_000))
    expect(path).toContain('/x')
    const [used] = await target.list(NEVER)
    expect(used).toMatchObject({ kind: 'workspace', isInUse: true })
    expect(used?.bytes).toBeGreaterThan(100_000)
    expect(await used?.remove()).toBe(false)
    await workspace.close()
    const [free] = await target.list(NEVER)
    expect(free).toMatchObject({ isInUse: false, lastUsed: expect.closeTo(Date.now(), -5) as number })
    expect(await free?.remove()).toBe(true)
    expect(existsSync(free?.name ?? '')).toBe(false)
    expect(await target.list(NEVER)).toEqual([])
  })

  test('gives a new workspace to a job that starts during the deletion', async () => {
    const { provider, target } = await bench()
    const first = await provider.open(request)
    await first.close()
    const [item] = await target.list(NEVER)
    const [removed, second] = await Promise.all([item?.remove(), provider.open(request)])
    expect(removed).toBe(true)
    await second.writeTemporaryFile('after', 'z')
    expect(await target.list(NEVER)).toMatchObject([{ isInUse: true }])
    await second.close()
  })

  test('keeps workspaces mounted in a container, also after a restart of the runner', async () => {
    const { provider, target, mounted } = await bench()
    const workspace = await provider.open(request)
    await workspace.close()
    const [item] = await target.list(NEVER)
    mounted.push(join(item?.name ?? '', 'work'))
    expect(await target.list(NEVER)).toMatchObject([{ isInUse: true }])
  })

  test('completes the deletion that a killed process began', async () => {
    const { root, target } = await bench()
    await mkdir(join(root, 'registration', '0', '.removed-1', 'rest'), { recursive: true })
    expect(await target.list(NEVER)).toEqual([])
    expect(existsSync(join(root, 'registration', '0', '.removed-1'))).toBe(false)
  })
})

test('the age of a cache is its last use, and its entry is deleted with its archive', async () => {
  const root = await tempDir()
  const folder = join(root, 'coordinator', 'local', '7-protected', 'key')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'cache.json'), '{}')
  await writeFile(join(folder, 'a.zip'), 'x'.repeat(50_000))
  const lastUse = new Date(1_000_000_000_000)
  await utimes(join(folder, 'cache.json'), lastUse, lastUse)
  const items = await cacheTarget(root, 'd').list(NEVER)
  expect(items).toMatchObject([{ kind: 'cache', name: folder, lastUsed: lastUse.getTime(), isInUse: false }])
  expect(items[0]?.bytes).toBeGreaterThan(50_000)
  expect(await removeAll(items)).toEqual([true])
  expect(existsSync(folder)).toBe(false)
  expect(await cacheTarget(join(root, 'none'), 'd').list(NEVER)).toEqual([])
})

test('the size of a directory is the size that du reports, without links and hard links', async () => {
  const folder = await tempDir()
  await mkdir(join(folder, 'a', 'b'), { recursive: true })
  await writeFile(join(folder, 'a', 'file'), 'x'.repeat(123_456))
  const run = promisify(execFile)
  await run('ln', [join(folder, 'a', 'file'), join(folder, 'a', 'b', 'same')])
  await run('ln', ['-s', '/', join(folder, 'link')])
  const { stdout } = await run('du', ['-s', '--block-size=1', folder])
  expect(await folderSize(folder, NEVER)).toBe(Number.parseInt(stdout, 10))
  await expect(folderSize(folder, AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped')
})

test('two directories of one disk have the same disk ID', async () => {
  const folder = await tempDir()
  const disks = differentDisks([
    await diskOf(folder),
    await diskOf(join(folder, '..')),
    await diskOf('/no/such'),
  ])
  expect(disks).toHaveLength(1)
  expect(disks[0]?.freeBytes).toBeLessThan(disks[0]?.sizeBytes ?? 0)
})

describe('LRU index', () => {
  test('is the same in the next process', async () => {
    const file = join(await tempDir(), 'index.json')
    const index = await LruIndex.open(file, logger, () => 3)
    index.imagePulled('id', 'one:1')
    index.imagePulled('id', 'two:1')
    index.used('volumes', 'v')
    await index.written()
    const next = await LruIndex.open(file, logger)
    expect(next.pulledImages).toEqual([{ id: 'id', names: ['one:1', 'two:1'], usedAt: 3 }])
    expect(next.lastUse('volumes', 'v')).toBe(3)
    expect(JSON.parse(await readFile(file, 'utf8'))).toHaveProperty('images')
  })

  test('is empty if its file is broken', async () => {
    const file = join(await tempDir(), 'index.json')
    await writeFile(file, '{"images"')
    expect((await LruIndex.open(file, logger)).pulledImages).toEqual([])
  })
})

describe('disk cleanup', () => {
  function disk(freeBytes: number): Disk {
    return { id: 'd', path: '/data', sizeBytes: 1000, freeBytes }
  }

  function item(name: string, remove: () => Promise<boolean>): CleanupItem {
    const what = { kind: 'cache', name, bytes: 300, lastUsed: 0, isInUse: false, diskId: 'd' } as const
    return { ...what, remove }
  }

  const marks = { high: { kind: 'fullness', part: 0.8 }, low: { kind: 'fullness', part: 0.5 } } as const

  /** Twice as many milliseconds after the beginning as anything has to wait. */
  function careOf(free: () => number, targets: CleanupTarget[], floorBytes = 0) {
    let now = 0
    const settings = { marks, floorBytes, intervalSeconds: 60 }
    const parts = {
      settings,
      disks: () => Promise.resolve([disk(free())]),
      targets: () => Promise.resolve(targets),
    }
    const care = new DiskCleanup({ ...parts, logger, now: () => now })
    now = DAY
    return care
  }

  test('deletes until enough space is free, skips failures and used items, and logs the result', async () => {
    let free = 100
    const asked: string[] = []
    const remove = (name: string, works: boolean) => () => {
      asked.push(name)
      if (works) free += 300
      return Promise.resolve(works)
    }
    const items = [
      item('broken', () => Promise.reject(new Error('busy'))),
      item('used again', remove('used again', false)),
      item('old', remove('old', true)),
    ]
    const away: CleanupTarget = { list: () => Promise.reject(new Error('the engine is away')) }
    const care = careOf(() => free, [away, { list: () => Promise.resolve(items) }])
    await care.runOnce(NEVER)
    expect(care.status).toMatchObject({ removed: { count: 1, bytes: 300 }, bytes: { cache: 900 } })
    expect(asked).toEqual(['used again', 'old'])
  })

  test('lists nothing while enough space is free', async () => {
    const care = careOf(() => 900, [{ list: () => Promise.reject(new Error('asked')) }])
    await care.runOnce(NEVER)
    expect(care.status).toMatchObject({ problem: undefined, removed: { count: 0, bytes: 0 }, bytes: {} })
  })

  test('stops between two deletions when aborted', async () => {
    const abort = new AbortController()
    const removed: string[] = []
    const remove = (name: string) => () => {
      removed.push(name)
      abort.abort(new Error('stopped'))
      return Promise.resolve(true)
    }
    const items = [item('one', remove('one')), item('two', remove('two'))]
    const care = careOf(() => 0, [{ list: () => Promise.resolve(items) }])
    await expect(care.runOnce(abort.signal)).rejects.toThrow('stopped')
    expect(removed).toEqual(['one'])
  })

  test('blocks job requests below the floor until space is free', async () => {
    let free = 10
    const care = careOf(() => free, [], 20)
    await care.runOnce(NEVER)
    expect(care.status.problem).toMatch(/only 0 MiB are free at \/data/)
    let isIn = false
    const passing = care.gate.passed(NEVER).then(() => (isIn = true))
    await care.runOnce(NEVER)
    expect(isIn).toBe(false)
    free = 500
    await care.runOnce(NEVER)
    await passing
    expect(care.status.problem).toBeUndefined()
  })

  test('does not delay the shutdown of the runner', async () => {
    const care = careOf(() => 10, [], 20)
    const abort = new AbortController()
    const running = care.run(abort.signal)
    const passing = care.gate.passed(abort.signal)
    abort.abort()
    await Promise.all([running, passing])
  })

  test('runs again when a job has ended', async () => {
    let looks = 0
    const seen: (() => void)[] = []
    const care = careOf(() => {
      seen.shift()?.()
      return 900 - looks++
    }, [])
    const abort = new AbortController()
    const first = new Promise<void>((resolve) => seen.push(resolve))
    const running = care.run(abort.signal)
    await first
    const second = new Promise<void>((resolve) => seen.push(resolve))
    care.jobEnded()
    await second
    abort.abort()
    await running
  })
})
