import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { root } from '../../../scripts/setup/root.mjs'
import { freePort } from '../../support/free-port.js'
import { tempDir } from '../../support/temp-dir.js'

const SHELL = 'src/coordinator/pages/shell.ts'
const MARK = '<meta charset="utf-8">'

test('npm run dev serves each change of its sources, and survives a broken one', async () => {
  const clone = await copyOfSources()
  const port = await freePort()
  const dev = start(clone, port)
  await dev.untilPrinted('Ctrl-C ends all processes')
  expect(dev.output()).toContain('no Docker engine responds')

  const page = () => fetchText(`http://127.0.0.1:${port}/`)
  const entry = /src="(\/@pages\/[^"]+)"/.exec(await page())?.[1]
  expect(await fetchText(`http://127.0.0.1:${port}${entry}`)).toContain('/@pages/frame/frame.tsx')

  const second = start(clone, port)
  expect(await second.exitCode).toBe(1)
  expect(second.output()).toContain('npm run dev runs already')

  await change(clone, MARK, `${MARK}<meta name="changed">`)
  await dev.untilPrinted('the coordinator serves the change')
  expect(await page()).toContain('<meta name="changed">')

  await change(clone, 'export function shellOf', 'export funktion shellOf')
  await dev.untilPrinted('the programs from before the change keep running')
  expect(dev.output()).toMatch(/src\/coordinator\/pages\/shell\.ts:\d+:\d+/)
  expect(await page()).toContain('<meta name="changed">')

  dev.interrupt()
  expect(await dev.exitCode).toBe(0)
  for (const each of [port, port + 1])
    await expect(fetchText(`http://127.0.0.1:${each}/`)).rejects.toThrow('fetch failed')
})

/** What a clone has, without its history; it shares the installed packages. */
async function copyOfSources(): Promise<string> {
  const folder = await tempDir()
  const names = [
    'src',
    'scripts',
    'config',
    'package.json',
    'package-lock.json',
    'rolldown.config.js',
    'tsconfig.json',
  ]
  for (const name of names) await cp(join(root, name), join(folder, name), { recursive: true })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

async function change(clone: string, from: string, to: string): Promise<void> {
  const file = join(clone, SHELL)
  const text = await readFile(file, 'utf8')
  expect(text).toContain(from)
  await writeFile(file, text.replace(from, to))
}

function start(clone: string, port: number) {
  const child: ChildProcess = spawn(process.execPath, ['scripts/dev.mjs', '--port', String(port)], {
    cwd: clone,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, DOCKER_HOST: `unix://${clone}/no-engine` },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const exitCode = once(child, 'exit').then(([code]) => code as number | null)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  return {
    output: () => output,
    exitCode,
    interrupt: () => child.kill('SIGINT'),
    untilPrinted: (text: string) => expect.poll(() => output).toContain(text),
  }
}

async function fetchText(url: string): Promise<string> {
  return (await fetch(url, { headers: { accept: 'text/html' } })).text()
}
