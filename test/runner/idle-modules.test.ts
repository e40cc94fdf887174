import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

import { expect, test } from 'vitest'

/** Packages that only jobs need; each costs an idle runner a megabyte or more, the first one twenty. */
const FOR_JOBS = ['typebox', 'execa', 'archiver', 'yauzl', 'prom-client']

/** Packages that are loaded with `file`: what it imports, and what that imports, types and `await import` apart. */
function loadedWith(file: string, seen = new Set<string>()): Set<string> {
  const packages = new Set<string>()
  if (seen.has(file)) return packages
  seen.add(file)
  const text = readFileSync(file, 'utf8').replace(/import\(/g, '')
  const imports = text.matchAll(/^(?:import|export) (?!type )(?:[^'"]*? from )?'([^']+)'/gm)
  for (const [statement, specifier = ''] of imports) {
    // `import { type A, type B }` leaves nothing behind when it is compiled, but the module is still loaded.
    if (/^import \{/.test(statement) && specifier.startsWith('node:')) continue
    if (specifier.startsWith('.')) {
      const target = resolve(dirname(file), specifier.replace(/\.js$/, '.ts'))
      expect(existsSync(target), `${specifier} of ${file}`).toBe(true)
      for (const name of loadedWith(target, seen)) packages.add(name)
    } else packages.add(specifier.split('/')[0] ?? '')
  }
  return packages
}

test.each(['src/runner/daemon.ts', 'src/cli/commands/runner/run.ts'])(
  'a runner that only waits does without what jobs need: %s',
  (file) => {
    const packages = loadedWith(join(import.meta.dirname, '../..', file))
    expect([...packages]).toContain(file.includes('daemon') ? 'undici' : 'commander')
    expect(FOR_JOBS.filter((name) => packages.has(name))).toEqual([])
  },
)
