import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

/** Packages that only jobs need; each costs an idle runner a megabyte or more, the first one twenty. */
const FOR_JOBS = ['undici', 'typebox', 'execa', 'archiver', 'yauzl', 'prom-client']

/** Packages that are loaded with `file`, types and `await import` apart, each with the way of imports to it. */
function loadedWith(file: string, way: string[] = [], seen = new Set<string>()): Map<string, string> {
  const packages = new Map<string, string>()
  if (seen.has(file)) return packages
  seen.add(file)
  const here = [...way, relative(ROOT, file)]
  const text = readFileSync(file, 'utf8')
  for (const [, specifier = ''] of text.matchAll(
    /^(?:import|export) (?!type )(?:[^'"]*? from )?'([^']+)'/gm,
  )) {
    if (!specifier.startsWith('.')) packages.set(specifier.split('/')[0] ?? '', here.join(' > '))
    else {
      const source = resolve(dirname(file), specifier)
      const target = existsSync(source) ? source : source.replace(/\.js$/, '.ts')
      for (const [name, found] of loadedWith(target, here, seen)) packages.set(name, found)
    }
  }
  return packages
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
