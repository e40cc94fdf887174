import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

/** Packages that only jobs need; each costs an idle runner a megabyte or more, the first one twenty. */
const FOR_JOBS = [
  'undici',
  'typebox',
  'execa',
  'archiver',
  'yauzl',
  'prom-client',
  'ws',
  'yaml',
  '@kubernetes',
]

/** What is imported from packages when `file` is loaded, types and `await import` apart, each with the way of imports to it. */
function importsWith(file: string, way: string[] = [], seen = new Set<string>()): Map<string, string> {
  const imports = new Map<string, string>()
  if (seen.has(file)) return imports
  seen.add(file)
  const here = [...way, relative(ROOT, file)]
  const text = readFileSync(file, 'utf8')
  for (const [, specifier = ''] of text.matchAll(
    /^(?:import|export) (?!type )(?:[^'"]*? from )?'([^']+)'/gm,
  )) {
    if (!specifier.startsWith('.')) imports.set(specifier, here.join(' > '))
    else {
      const source = resolve(dirname(file), specifier)
      const target = existsSync(source) ? source : source.replace(/\.js$/, '.ts')
      for (const [name, found] of importsWith(target, here, seen)) imports.set(name, found)
    }
  }
  return imports
}

function loadedWith(file: string): Map<string, string> {
  return new Map([...importsWith(file)].map(([specifier, way]) => [specifier.split('/')[0] ?? '', way]))
}

test.each([
  ['src/runner/daemon.ts', 'p-queue'],
  ['src/cli/commands/runner/run.ts', 'commander'],
  ['src/runner/disk-cleanup/open-disk-cleanup.ts', 'node:path'],
])('an idle runner does not load the modules of jobs: %s', (file, needed) => {
  const packages = loadedWith(join(ROOT, file))
  expect([...packages.keys()]).toContain(needed)
  expect(FOR_JOBS.flatMap((name) => packages.get(name) ?? [])).toEqual([])
})

test('a coordinator loads OpenTelemetry only with a collector', () => {
  const packages = loadedWith(join(ROOT, 'src/coordinator/coordinator.ts'))
  expect([...packages.keys()]).toContain('fastify')
  expect(packages.get('@opentelemetry')).toBeUndefined()
})

test('the client of a cluster loads the official one without its generated API, which takes 75 MB', () => {
  const file = join(ROOT, 'src/runner/executor/kubernetes/cluster/create-cluster.ts')
  const specifiers = [...importsWith(file).keys()]
  expect(specifiers.filter((specifier) => specifier.startsWith('@kubernetes/'))).toEqual([
    '@kubernetes/client-node/dist/config_types.js',
  ])
})
