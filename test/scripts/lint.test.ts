import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

import { execa } from 'execa'
import { expect, test } from 'vitest'

import { tempDir } from '../support/temp-dir.js'

/** Files of a source tree, each with what `npm run check` reports in it. */
const FILES: [file: string, source: string, reported: string[]][] = [
  ['src/lib/one.ts', "import './other.js'", []],
  ['src/lib/other.ts', "import './one.js'", ['switchyard(import-circles)']],
  ['src/runner/job/job.ts', "import '../../lib/one.js'", []],
  ['src/runner/trace/log.ts', "import '../job/job.js'", ['switchyard(room-imports)']],
  [
    'src/coordinator/http/app.ts',
    'export const del = (db: DB) => db.deleteFrom("job")\ninterface DB { deleteFrom: (table: string) => string }',
    ['switchyard(table-writes)'],
  ],
  ['src/git/types.ts', 'export const text: string = 1', ['typescript(TS2322)']],
  [
    'src/git/promise.ts',
    'export const f = (g: () => Promise<void>) => { g() }',
    ['typescript(no-floating-promises)'],
  ],
  [
    'src/git/comment.ts',
    '// oxlint-disable-next-line no-eval -- nothing\nexport const a = 1',
    ['Unused oxlint-disable directive (no problems were reported).'],
  ],
]

test('the check applies types, rules about types, and the rules of this repository', async () => {
  const folder = await tempDir()
  for (const name of ['.oxlintrc.jsonc', 'node_modules', 'package.json', 'scripts', 'tsconfig.json'])
    await symlink(resolve(name), join(folder, name))
  for (const [file, source] of FILES) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), source)
  }
  const linter = resolve('node_modules/.bin/oxlint')
  const { stdout } = await execa(linter, ['--type-check', '--format', 'json', 'src'], {
    cwd: folder,
    reject: false,
  })
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { filename: string; code?: string; message: string }[]
  }
  for (const [file, , reported] of FILES) {
    const codes = diagnostics
      .filter(({ filename }) => filename === file)
      .map(({ code, message }) => code ?? message)
    expect(codes, file).toEqual(reported)
  }
})
