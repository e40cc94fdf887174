import { readdir, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'

import { root } from './root.mjs'
import { run } from './run.mjs'
import { say } from './say.mjs'

const SOURCES = ['src', 'rolldown.config.js', 'node_modules/.package-lock.json']

/** Its modification time is the start of the build, so that files that change during a build are built again. */
const PROGRAM = join(root, 'dist/cli/main.js')

/** Builds dist/ from src/, unless nothing has changed since the last build. Only `npm run check` checks types. */
export async function ensureBuild() {
  const began = new Date()
  if ((await lastChange()) < (await modifiedAt(PROGRAM))) return
  say('building')
  await run(process.execPath, [join(root, 'node_modules/rolldown/bin/cli.mjs'), '-c', '--logLevel', 'warn'])
  await utimes(PROGRAM, began, began)
}

/** Compiles src/ to .switchyard/modules/, for programs that call single modules. */
export async function ensureModules() {
  say('compiling modules')
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  await run(process.execPath, [compiler, '-p', join(root, 'tsconfig.modules.json'), '--noCheck'])
}

/** The time of the last change. Adding or removing a file changes the time of its folder. */
async function lastChange() {
  const entries = await readdir(join(root, 'src'), { recursive: true })
  const paths = [...SOURCES, ...entries.map((entry) => join('src', entry))]
  return Math.max(...(await Promise.all(paths.map((path) => modifiedAt(join(root, path))))))
}

/**
 * @param {string} path
 * @returns {Promise<number>} in milliseconds; 0 if there is no such file
 */
async function modifiedAt(path) {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
}
