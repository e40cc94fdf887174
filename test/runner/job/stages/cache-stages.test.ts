import { mkdir, readFile, readlink, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import type { JobCache } from '../../../../src/protocol/job-payload.js'
import type { CacheStore } from '../../../../src/runner/cache/cache-store.js'
import { hostileZip } from '../../../support/hostile-zip.js'
import { filesBelow } from '../../cache/archives.js'
import { type CachedJob, openMachine } from './cached-jobs.js'

const CACHE: JobCache = { key: 'default', paths: ['vendor/'] }

async function fill(job: CachedJob, content = 'gem'): Promise<void> {
  await mkdir(join(job.work, 'vendor'), { recursive: true })
  await writeFile(join(job.work, 'vendor/gem'), content)
}

function vendored(job: CachedJob, name = 'vendor/gem'): Promise<string | undefined> {
  return readFile(join(job.work, name), 'utf8').catch(() => undefined)
}

test('a job restores the cache of an earlier job, and both logs report it', async () => {
  const machine = await openMachine()
  const first = await machine.job({ cache: [CACHE] })
  const missed = await first.restore()
  expect(missed.kind).toBe('success')
  expect(missed.log).toMatch(
    /Restoring cache[^]*Checking cache for default\.\.\.[^]*WARNING: Failed to extract cache/,
  )
  await fill(first)
  await symlink('gem', join(first.work, 'vendor/current'))
  expect((await first.save()).log).toMatch(
    /Saving cache for successful job[^]*Creating cache default\.\.\.[^]*vendor\/: found 3 matching artifact files and directories[^]*Cache will be stored only locally\.[^]*Created cache/,
  )
  const second = await machine.job({ cache: [CACHE] })
  expect((await second.restore()).log).toMatch(
    /section_start:\d+:restore_cache[^]*Checking cache for default\.\.\.[^]*Successfully extracted cache/,
  )
  expect(await vendored(second, 'vendor/current')).toBe('gem')
  expect(await filesBelow(machine.temporaryDir)).toEqual([])
})

test('unchanged content is not saved again, whatever its times; changed content is', async () => {
  const machine = await openMachine()
  const first = await machine.job({ cache: [CACHE] })
  await fill(first)
  expect((await first.save()).log).not.toContain('up to date')
  const second = await machine.job({ cache: [CACHE] })
  await second.restore()
  await utimes(join(second.work, 'vendor/gem'), 1, 1)
  expect((await second.save()).log).toMatch(/Archive is up to date![^]*Created cache/)
  await fill(second, 'mag')
  expect((await second.save()).log).not.toContain('up to date')
  const third = await machine.job({ cache: [CACHE] })
  await third.restore()
  expect(await vendored(third)).toBe('mag')
})

test('caches of protected and unprotected refs are separate', async () => {
  const machine = await openMachine()
  const git_info = { repo_url: '', ref: 'main', sha: '1a2b3c4d5e6f7081' }
  const isProtected = { ...git_info, protected: true }
  const fallback = { ...CACHE, fallback_keys: ['default-protected', 'default-non_protected'] }
  const evil = await machine.job({ cache: [CACHE, { ...CACHE, key: 'default-protected' }], git_info })
  await fill(evil, 'evil')
  await evil.save()
  const trusted = await machine.job({ cache: [fallback], git_info: isProtected })
  await trusted.restore()
  expect(await vendored(trusted)).toBeUndefined()
  await fill(trusted, 'secret')
  await trusted.save()
  const curious = await machine.job({ cache: [{ ...fallback, key: 'default' }], git_info })
  await curious.restore()
  expect(await vendored(curious)).toBe('evil')
})

test('fallback keys are tried in order, and the save uses the key itself', async () => {
  const machine = await openMachine()
  const main = await machine.job({ cache: [{ ...CACHE, key: 'main' }] })
  await fill(main, 'main')
  await main.save()
  const cache = [{ ...CACHE, key: 'feature', fallback_keys: ['none', 'main'] }]
  const feature = await machine.job({ cache }, { CACHE_FALLBACK_KEY: 'never' })
  const { log } = await feature.restore()
  expect([...log.matchAll(/Checking cache for (\w+)/g)].map(([, key]) => key)).toEqual([
    'feature',
    'none',
    'main',
  ])
  expect(await vendored(feature)).toBe('main')
  await fill(feature, 'feature')
  await feature.save()
  const again = await machine.job({ cache: [{ ...CACHE, key: 'main' }] })
  await again.restore()
  expect(await vendored(again)).toBe('main')
})

test('several caches are handled in order, each with its policy and condition', async () => {
  const machine = await openMachine()
  const cache = [
    { key: 'one', paths: ['one'], when: 'on_failure' },
    { key: 'two', paths: ['$DIR/**/*.txt'], when: 'always' },
    { key: 'three', paths: ['one'], policy: 'pull', when: 'always' },
    { key: 'four', paths: ['one'] },
  ]
  const job = await machine.job({ cache }, { DIR: 'two' })
  await writeFile(join(job.work, 'one'), '1')
  await mkdir(join(job.work, 'two/deep'), { recursive: true })
  await writeFile(join(job.work, 'two/deep/a.txt'), '2')
  const { log } = await job.save(false)
  expect(log).toContain('section_start')
  expect(log).toContain('archive_cache_on_failure')
  expect(log).toMatch(
    /Saving cache for failed job[^]*Creating cache one[^]*Creating cache two[^]*Not uploading cache three due to policy/,
  )
  expect(log).not.toContain('four')
  const next = await machine.job({ cache: [{ ...cache[0]!, policy: 'push' }, cache[1]!] }, { DIR: 'two' })
  const restored = await next.restore()
  expect(restored.log).toContain('Not downloading cache one due to policy')
  expect(await vendored(next, 'one')).toBeUndefined()
  expect(await vendored(next, 'two/deep/a.txt')).toBe('2')
})

test('files outside the project are not cached, and no files make no cache', async () => {
  const machine = await openMachine()
  const job = await machine.job({ cache: [{ key: 'k', paths: ['../x', '/etc/passwd', 'nothing'] }] })
  const { kind, log } = await job.save()
  expect(kind).toBe('success')
  expect(log).toContain('../x: is outside the project directory')
  expect(log).toContain('/etc/passwd: is outside the project directory')
  expect(log).toContain('nothing: no matching files')
  expect(log).toContain('No files to cache.')
  expect(log).not.toContain('Created cache')
})

test('a job without caches has no cache section', async () => {
  const machine = await openMachine()
  const job = await machine.job({ cache: [{ key: 'k' }] })
  expect(await job.restore()).toEqual({ kind: 'success', log: '' })
  expect(await job.save()).toEqual({ kind: 'success', log: '' })
})

test('an unknown policy fails the stage', async () => {
  const machine = await openMachine()
  const job = await machine.job({ cache: [{ ...CACHE, policy: 'sometimes' }] })
  for (const stage of [await job.restore(), await job.save()]) {
    expect(stage.kind).toBe('failed')
    expect(stage.log).toContain('unknown cache policy "sometimes"')
  }
})

describe('cache archive that cannot be extracted', () => {
  test.each([
    ['is no zip', Buffer.from('not a zip')],
    ['would write outside', hostileZip([{ name: '../../evil', content: 'x' }])],
  ])('because it %s, does not fail the job and is replaced by its save', async (_why, bytes) => {
    let kept = { bytes, content: '' }
    const store: CacheStore = {
      name: 'test',
      isShared: true,
      find: async () => {
        const file = join(machine.temporaryDir, 'found.zip')
        await writeFile(file, kept.bytes)
        return { file, isUpToDate: false, release: async () => {} }
      },
      contentOf: async () => kept.content,
      save: async (_address, { file, content }) => {
        kept = { bytes: await readFile(file), content }
        return 'saved'
      },
    }
    const machine = await openMachine({ storeFor: () => store })
    const good = await machine.job({ cache: [CACHE] })
    await fill(good)
    await good.save()
    kept = { bytes, content: kept.content }

    const job = await machine.job({ cache: [CACHE] })
    const { kind, log } = await job.restore()
    expect(kind).toBe('success')
    expect(log).toContain('WARNING: Failed to extract cache')
    await fill(job)
    expect((await job.save()).log).toContain('Uploaded the cache to: test')
    const next = await machine.job({ cache: [CACHE] })
    await next.restore()
    expect(await vendored(next)).toBe('gem')
  })
})

describe('cache store failure', () => {
  function failing(times: number): CacheStore & { asked: number } {
    const store = {
      name: 'test',
      isShared: true,
      asked: 0,
      find: async () => {
        store.asked++
        if (store.asked <= times) throw new Error('out of order')
        return undefined
      },
      contentOf: async () => undefined,
      save: async () => {
        throw new Error('out of order')
      },
    }
    return store
  }

  test('is a warning and does not fail the job', async () => {
    const store = failing(1)
    const machine = await openMachine({ storeFor: () => store })
    const job = await machine.job({ cache: [CACHE] })
    const restored = await job.restore()
    expect(restored).toMatchObject({ kind: 'success' })
    expect(restored.log).toMatch(/WARNING: out of order[^]*WARNING: Failed to extract cache/)
    await fill(job)
    const saved = await job.save()
    expect(saved.kind).toBe('success')
    expect(saved.log).toMatch(/WARNING: out of order[^]*WARNING: Failed to create cache/)
    expect(store.asked).toBe(1)
    expect(await filesBelow(machine.temporaryDir)).toEqual([])
  })

  test('is retried RESTORE_CACHE_ATTEMPTS times', async () => {
    const store = failing(2)
    const machine = await openMachine({ storeFor: () => store })
    const job = await machine.job({ cache: [CACHE] }, { RESTORE_CACHE_ATTEMPTS: '5' })
    expect((await job.restore()).log).toContain('WARNING: Retrying...')
    expect(store.asked).toBe(3)
  })

  test('does not delay a canceled job', async () => {
    const store = failing(1)
    const machine = await openMachine({ storeFor: () => store })
    const job = await machine.job({ cache: [CACHE] }, { RESTORE_CACHE_ATTEMPTS: '5' })
    job.control.stop({ kind: 'canceled' })
    await expect(job.restore()).rejects.toThrow('canceled')
    expect(store.asked).toBe(1)
  })
})

test('CACHE_FALLBACK_KEY finds the cache that another job saved under this key', async () => {
  const machine = await openMachine()
  const suffix = '-1-non_protected'
  const saved = await machine.job({ cache: [{ ...CACHE, key: `main${suffix}`, key_suffix: suffix }] })
  await fill(saved)
  await saved.save()
  const cache = [{ ...CACHE, key: `branch${suffix}`, key_suffix: suffix }]
  const next = await machine.job({ cache }, { CACHE_FALLBACK_KEY: 'main' })
  expect((await next.restore()).log).toContain('Successfully extracted cache')
  expect(await vendored(next)).toBe('gem')
})

test('the links of a cached environment are restored as they are stored, wherever they point', async () => {
  const machine = await openMachine()
  const cache = [{ key: 'venv', paths: ['venv/'] }]
  const first = await machine.job({ cache })
  const links = {
    'venv/bin/python': '/usr/local/bin/python3',
    'venv/bin/python3': 'python',
    'venv/lib64': '/builds/group/project/venv/lib',
    'venv/up': '../../../other',
  }
  for (const folder of ['venv/bin', 'venv/lib']) await mkdir(join(first.work, folder), { recursive: true })
  for (const [name, target] of Object.entries(links)) await symlink(target, join(first.work, name))
  await first.save()
  const second = await machine.job({ cache })
  // The second time over the links of the first.
  for (let time = 0; time < 2; time++) {
    const { log } = await second.restore()
    expect(log).toContain('Successfully extracted cache')
    expect(log).not.toContain('skipped')
    for (const [name, target] of Object.entries(links))
      expect(await readlink(join(second.work, name))).toBe(target)
  }
  expect((await second.save()).log).toContain('Archive is up to date!')
})
