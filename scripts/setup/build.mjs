import { readdir, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'

import { root } from './root.mjs'
import { run } from './run.mjs'
import { say } from './say.mjs'

const SOURCES = ['src', 'tsconfig.json', 'tsconfig.build.json', 'node_modules/.package-lock.json']

/** The compiler's notes on what it has compiled. Here their time is that of the build before which nothing has changed. */
const NOTES = join(root, 'dist/.tsbuildinfo')

/** Compiles src/ to dist/. Types are not checked, which takes five times as long: `npm run typecheck` does. */
export async function ensureBuild() {
  const began = new Date()
  if ((await lastChange()) < (await modifiedAt(NOTES))) return
  say('compiling')
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  await run(process.execPath, [compiler, '-p', join(root, 'tsconfig.build.json'), '--noCheck'])
  await utimes(NOTES, began, began)
}

/** When a file was written, added or removed last; the latter two change the time of its folder. */
async function lastChange() {
  const entries = await readdir(join(root, 'src'), { recursive: true })
  const paths = [...SOURCES, ...entries.map((entry) => join('src', entry))]
  return Math.max(...(await Promise.all(paths.map((path) => modifiedAt(join(root, path))))))
}

/**
 * @param {string} path
 * @returns {Promise<number>} in milliseconds; 0 when there is no such file
 */
async function modifiedAt(path) {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
}
