import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { isStatic } from '../../../scripts/setup/busybox.mjs'
import { missingPackages } from '../../../scripts/setup/dependencies.mjs'
import { engineAddress, engineResponds } from '../../../scripts/setup/docker-ping.mjs'
import { folderWith } from '../../../scripts/setup/find-program.mjs'
import { checkNodeVersion } from '../../../scripts/setup/node-version.mjs'
import { run } from '../../../scripts/setup/run.mjs'
import { tempDir } from '../../support/temp-dir.js'

test.each(['20.19.0', '20.20.2', '22.0.0', '24.1.0'])('Node.js %s is new enough', (version) => {
  expect(() => checkNodeVersion(version)).not.toThrow()
})

test.each(['20.18.3', '18.20.0', '8.0.0'])('Node.js %s is refused', (version) => {
  expect(() => checkNodeVersion(version)).toThrow('20.19 or newer')
})

test('a package of another version, and one that is not there, are missing; optional ones are not', () => {
  const wanted = {
    '': {},
    'node_modules/same': { version: '1.0.0' },
    'node_modules/older': { version: '2.0.0' },
    'node_modules/absent': { version: '1.0.0' },
    'node_modules/for-another-system': { version: '1.0.0', optional: true },
  }
  const present = { 'node_modules/same': { version: '1.0.0' }, 'node_modules/older': { version: '1.9.0' } }
  expect(missingPackages(wanted, present)).toEqual(['node_modules/older', 'node_modules/absent'])
})

test('the default Docker socket is used without DOCKER_HOST', () => {
  expect(engineAddress({}).options).toEqual({ socketPath: '/var/run/docker.sock' })
})

test('DOCKER_HOST may name a socket or an address', () => {
  expect(engineAddress({ DOCKER_HOST: 'unix:///run/user/1000/docker.sock' }).options).toEqual({
    socketPath: '/run/user/1000/docker.sock',
  })
  expect(engineAddress({ DOCKER_HOST: 'tcp://10.0.0.7:2375' }).options).toEqual({
    host: '10.0.0.7',
    port: '2375',
  })
})

test('an engine responds when its ping does', async () => {
  const socketPath = join(await tempDir(), 'engine.sock')
  const address = engineAddress({ DOCKER_HOST: `unix://${socketPath}` })
  expect(await engineResponds(address)).toBe(false)

  let status = 500
  const engine = createServer((request, response) => {
    response.writeHead(request.url === '/_ping' ? status : 404).end()
  })
  await new Promise<void>((resolve) => engine.listen(socketPath, resolve))
  onTestFinished(() => void engine.close())
  expect(await engineResponds(address)).toBe(false)
  status = 200
  expect(await engineResponds(address)).toBe(true)
})

test('programs are looked for in the folders that have all of them', async () => {
  const directory = await tempDir()
  const [half, whole] = [join(directory, 'half'), join(directory, 'whole')]
  await mkdir(half)
  await mkdir(whole)
  for (const file of [join(half, 'one-sy'), join(whole, 'one-sy'), join(whole, 'two-sy')]) {
    await writeFile(file, '', { mode: 0o755 })
  }
  expect(await folderWith(['one-sy', 'two-sy'], [half, whole])).toBe(whole)
  expect(await folderWith(['three-sy'], [half, whole])).toBeUndefined()
})

test('a program that needs the dynamic linker is not static, nor is one that is not there', async () => {
  const file = join(await tempDir(), 'program')
  expect(await isStatic(file)).toBe(false)
  await writeFile(file, 'ELF\0\0/lib64/ld-linux-x86-64.so.2\0')
  expect(await isStatic(file)).toBe(false)
  await writeFile(file, 'ELF\0\0')
  expect(await isStatic(file)).toBe(true)
})

test('a command that fails is reported with the end of what it printed', async () => {
  const failing = run(process.execPath, ['--eval', 'console.error("the reason"); process.exit(3)'])
  await expect(failing).rejects.toThrow(/failed:\nthe reason$/)
  await expect(run('/no/such/program', [])).rejects.toThrow('ENOENT')
})
