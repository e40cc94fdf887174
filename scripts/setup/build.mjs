import { readdir, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'

import { root } from './root.mjs'
import { run } from './run.mjs'
import { say } from './say.mjs'

const MODULES = 'node_modules/.package-lock.json'

/**
 * The parts of dist/, each with its sources and a file that its build writes. The modification time of that file is set to
 * the start of the build, so that files that change during a build are built again.
 */
const PROGRAMS = {
  sources: ['src', 'rolldown.config.js', MODULES],
  without: join('src', 'web'),
  built: 'dist/cli/main.js',
  command: ['node_modules/rolldown/bin/cli.mjs', '-c', '--logLevel', 'warn'],
}
const PAGES = {
  sources: ['src/web', 'src/addresses', 'src/cron', 'scripts/web', MODULES],
  without: undefined,
  built: 'dist/web/manifest.json',
  command: ['scripts/web/build.mjs'],
}

/** Builds dist/ from src/: the parts that have changed since their last build. Only `npm run check` checks types. */
export async function ensureBuild() {
  await Promise.all([ensurePart(PROGRAMS), ensurePart(PAGES)])
}

/** @param {typeof PROGRAMS | typeof PAGES} part */
async function ensurePart({ sources, without, built, command: [program = '', ...args] }) {
  const began = new Date()
  const result = join(root, built)
  if ((await lastChange(sources, without)) < (await modifiedAt(result))) return
  say(`building ${built.split('/').slice(0, 2).join('/')}`)
  await run(process.execPath, [join(root, program), ...args])
  await utimes(result, began, began)
}

/** Compiles src/ to .switchyard/modules/, for programs that call single modules. */
export async function ensureModules() {
  say('compiling modules')
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  await run(process.execPath, [compiler, '-p', join(root, 'tsconfig.modules.json'), '--noCheck'])
}

/**
 * The time of the last change. Adding or removing a file changes the time of its folder.
 * @param {readonly string[]} sources
 * @param {string | undefined} without a folder of the sources that does not count
 */
async function lastChange(sources, without) {
  const paths = await Promise.all(
    sources.map(async (source) => {
      const entries =
        source === MODULES || /\.\w+$/.test(source)
          ? []
          : await readdir(join(root, source), { recursive: true })
      return [source, ...entries.map((entry) => join(source, entry))]
    }),
  )
  const counted = paths.flat().filter((path) => without === undefined || !path.startsWith(without))
  return Math.max(...(await Promise.all(counted.map((path) => modifiedAt(join(root, path))))))
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
