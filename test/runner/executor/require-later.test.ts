import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { requireLater } from '../../../src/runner/executor/docker/require-later.js'
import { tempDir } from '../../support/temp-dir.js'

/** A package that notes when it is loaded, and one that needs it as libraries do. */
async function packages() {
  const folder = await tempDir()
  const write = async (name: string, text: string) => {
    await mkdir(join(folder, 'node_modules', name), { recursive: true })
    await writeFile(join(folder, 'node_modules', name, 'index.js'), text)
  }
  const key = `loaded-${folder}`
  await write(
    'heavy',
    `globalThis[${JSON.stringify(key)}] = true
     exports.Client = class { constructor(name) { this.name = name } greet() { return 'hello ' + this.name } }
     exports.add = (a, b) => a + b`,
  )
  await write(
    'light',
    `const heavy = require('heavy'), { Client } = heavy
     exports.greet = (name) => new Client(name).greet()
     exports.add = (a, b) => heavy.add(a, b)`,
  )
  const require = createRequire(join(folder, 'main.js'))
  return { require, isLoaded: () => Reflect.has(globalThis, key) }
}

interface Light {
  greet(name: string): string
  add(a: number, b: number): number
}

test('a deferred package is loaded at its first use', async () => {
  const { require, isLoaded } = await packages()
  requireLater('heavy', require, ['Client'])
  const light = require('light') as Light
  expect(isLoaded()).toBe(false)
  expect(light.add(1, 2)).toBe(3)
  expect(isLoaded()).toBe(true)
})

test('a class of a deferred package is constructed normally', async () => {
  const { require, isLoaded } = await packages()
  requireLater('heavy', require, ['Client'])
  const light = require('light') as Light
  expect(isLoaded()).toBe(false)
  expect(light.greet('you')).toBe('hello you')
})

test('a loaded package stays as it is', async () => {
  const { require } = await packages()
  const heavy = require('heavy') as object
  requireLater('heavy', require)
  expect(require('heavy')).toBe(heavy)
})
