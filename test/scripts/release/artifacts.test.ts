import { readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { artifactNames, checksumLines, imageContextPaths } from '../../../scripts/release/artifacts.mjs'
import { isNeeded, runtimePackages } from '../../../scripts/release/runtime-packages.mjs'
import { bundledPackages, shippedOnly } from '../../../scripts/release/sbom.mjs'

test('files are named for the version, and the Debian package as Debian names it', () => {
  expect(artifactNames('1.0.0-rc.1', 'arm64')).toEqual({
    debian: 'switchyard_1.0.0~rc.1-1_arm64.deb',
    image: 'switchyard-1.0.0-rc.1-image.tar.gz',
    npm: 'switchyard-1.0.0-rc.1.tgz',
    sbom: 'switchyard-1.0.0-rc.1.cdx.json',
  })
})

test('the image context has every path that the Dockerfile copies from it', () => {
  const paths = imageContextPaths(readFileSync('.dockerignore', 'utf8'))
  const copied = [...readFileSync('Dockerfile', 'utf8').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
    ([, sources = '']) => sources.split(' '),
  )
  expect(copied).toContain('src')
  expect([...copied, '.dockerignore', 'Dockerfile'].filter((path) => !paths.includes(path))).toEqual([])
})

test('checksums are lines of sha256sum, sorted by name', () => {
  expect(checksumLines({ 'b.tgz': 'bb', 'a.deb': 'aa' })).toBe('aa  a.deb\nbb  b.tgz\n')
})

test('the packages of the programs are those that they name and what these load, at the nearest place', () => {
  const locked = {
    '': { dependencies: { one: '1', unused: '1' } },
    'node_modules/one': {
      dependencies: { two: '1', 'prebuild-install': '1' },
      optionalDependencies: { absent: '1' },
    },
    'node_modules/one/node_modules/two': { dependencies: { three: '1' } },
    'node_modules/prebuild-install': { dependencies: { unused: '1' } },
    'node_modules/three': { dependencies: { one: '1' } },
    'node_modules/two': {},
    'node_modules/unused': {},
  }
  expect(runtimePackages(locked, ['one'])).toEqual([
    'node_modules/one',
    'node_modules/one/node_modules/two',
    'node_modules/three',
  ])
})

test.each([
  'ssh2/lib/client.js',
  'ssh2/package.json',
  'better-sqlite3/build/Release/better_sqlite3.node',
  'better-sqlite3/lib/index.js',
  'protobufjs/google/protobuf/api.proto',
  'some/lib/history.js',
  'some/lib/notice.json',
])('the programs may load %s', (path) => {
  expect(isNeeded(path)).toBe(true)
})

test.each([
  'ssh2/README.md',
  'ssh2/LICENSE',
  'ssh2/test/client.js',
  'swagger-ui-dist/swagger-ui.js.map',
  'swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt',
  'better-sqlite3/deps/sqlite3/sqlite3.c',
  'better-sqlite3/build/Release/test_extension.node',
  'debug/.eslintrc.js',
  'long/index.d.ts',
])('the programs never load %s', (path) => {
  expect(isNeeded(path)).toBe(false)
})

test('a bill of materials has what is installed and what is bundled, and not what builds it', () => {
  const component = (name: string, properties: { name: string; value: string }[] = []) => ({
    'bom-ref': `${name}@1.0.0`,
    name,
    version: '1.0.0',
    properties,
  })
  const development = [{ name: 'cdx:npm:package:development', value: 'true' }]
  const bom = {
    metadata: { component: component('switchyard') },
    components: [component('pino'), component('preact', development), component('vitest', development)],
    dependencies: [
      { ref: 'switchyard@1.0.0', dependsOn: ['pino@1.0.0', 'preact@1.0.0', 'vitest@1.0.0'] },
      { ref: 'vitest@1.0.0', dependsOn: ['pino@1.0.0'] },
      { ref: 'pino@1.0.0' },
    ],
  }
  const { components, dependencies } = shippedOnly(bom, ['preact@1.0.0'])
  expect(components.map(({ name }) => name)).toEqual(['pino', 'preact'])
  expect(dependencies).toEqual([
    { ref: 'switchyard@1.0.0', dependsOn: ['pino@1.0.0', 'preact@1.0.0'] },
    { ref: 'pino@1.0.0', dependsOn: [] },
  ])
})

test('bundled packages are read from the texts of their licences', () => {
  const line = '-'.repeat(80)
  const text = `@fastify/one 2.1.2, MIT\n\nMIT License\n\n${line}\n\ntwo 1.0.0, ISC\n\nText 3.0.0, too\n`
  expect(bundledPackages(text)).toEqual(['@fastify/one@2.1.2', 'two@1.0.0'])
})
