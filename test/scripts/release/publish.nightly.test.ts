import { appendFile, cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { execa } from 'execa'
import { expect, test } from 'vitest'

import { planRelease } from '../../../scripts/release/plan.mjs'
import { publish } from '../../../scripts/release/publish.mjs'
import { readRepository } from '../../../scripts/release/read-repository.mjs'
import { openForFile } from '../../support/lifetime.js'
import { tempDir } from '../../support/temp-dir.js'
import { TEXTS } from './support/repository.js'

const RUNNING = new AbortController().signal
const packed = () => Promise.resolve()

test('a release is a commit and a tag with the changes, on a tree without changes', async () => {
  const { folder, git, plan } = await clone()
  let version: unknown
  await publish(
    folder,
    plan,
    async () => {
      version = JSON.parse(await git('show', 'HEAD:package.json'))
    },
    RUNNING,
  )
  expect(version).toMatchObject({ version: '1.0.0' })
  expect(await git('log', '--format=%s', '-1', 'v1.0.0')).toBe('release: publish 1.0.0')
  expect(await git('tag', '--list', '--format=%(contents)', 'v1.0.0')).toBe(
    'Switchyard 1.0.0\n\n### Added\n\n- One thing.\n',
  )
  expect(await git('status', '--porcelain')).toBe('')
  expect(() => planRelease({ ...plan, branch: 'main', changes: '', tags: ['v1.0.0'] }, '1.0.0', '')).toThrow()
})

test('a release whose packing fails leaves the clone as it was', async () => {
  const { folder, plan, state } = await clone()
  const before = await state()
  const failing = publish(folder, plan, () => Promise.reject(new Error('no space left')), RUNNING)
  await expect(failing).rejects.toThrow('no space left')
  expect(await state()).toEqual(before)
})

test('a release whose commit is refused leaves the clone as it was', async () => {
  const { folder, plan, state } = await clone()
  const before = await state()
  await writeFile(join(folder, '.git/hooks/pre-commit'), '#!/bin/sh\necho refused >&2\nexit 1\n', {
    mode: 0o755,
  })
  await expect(publish(folder, plan, packed, RUNNING)).rejects.toThrow('refused')
  expect(await state()).toEqual(before)
})

test('a release that is interrupted leaves the clone as it was', async () => {
  const { folder, plan, state } = await clone()
  const before = await state()
  const interruption = new AbortController()
  const pack = async () => interruption.abort(new Error('interrupted'))
  await expect(publish(folder, plan, pack, interruption.signal)).rejects.toThrow('interrupted')
  expect(await state()).toEqual(before)
})

test('what somebody changes while a release fails stays', async () => {
  const { folder, plan } = await clone()
  const pack = async () => {
    await appendFile(join(folder, 'README'), 'more\n')
    throw new Error('no space left')
  }
  await expect(publish(folder, plan, pack, RUNNING)).rejects.toThrow('no space left')
  expect(await readFile(join(folder, 'README'), 'utf8')).toBe('read me\nmore\n')
})

test('a release that cannot be undone says what is left, and the remedy', async () => {
  const { folder, git, plan } = await clone()
  const pack = async () => {
    await git('commit', '--quiet', '--allow-empty', '--message', 'other work')
    throw new Error('no space left')
  }
  await expect(publish(folder, plan, pack, RUNNING)).rejects.toThrow(
    new RegExp(`no space left\\n.*more commits.*\\n.*git reset --keep ${plan.head}`),
  )
  expect(await git('log', '--format=%s', '-1')).toBe('other work')
})

/** With the version 0.1.0. */
const original = openForFile(async () => {
  const folder = await tempDir()
  const git = gitIn(folder)
  await git('init', '--quiet', '--initial-branch', 'main')
  await git('config', 'user.name', 'Releaser')
  await git('config', 'user.email', 'releaser@example.com')
  for (const [name, text] of Object.entries({ ...TEXTS, README: 'read me\n' }))
    await writeFile(join(folder, name), text)
  await git('add', '.')
  await git('commit', '--quiet', '--message', 'everything')
  return folder
})

/** A clone with the version 0.1.0, and the plan to release 1.0.0. */
async function clone() {
  const folder = await tempDir()
  await cp(original(), folder, { recursive: true, preserveTimestamps: true })
  const git = gitIn(folder)
  const plan = planRelease(await readRepository(folder), '1.0.0', '2026-11-28')
  return { folder, git, plan, state: () => readRepository(folder) }
}

function gitIn(cwd: string) {
  return async (...args: string[]) => (await execa('git', args, { cwd })).stdout
}
