import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { addonCache } from './addon-cache.mjs'
import { canInstallPackages, installPackages } from './debian-packages.mjs'
import { root } from './root.mjs'
import { run } from './run.mjs'
import { say, SetupError } from './say.mjs'

/** @typedef {Record<string, { version?: string, integrity?: string, optional?: boolean }>} LockedPackages */

const COMPILER = ['python3', 'make', 'g++']

/** Installs the packages in package-lock.json and builds the native add-on, unless both are up to date. */
export async function ensureDependencies() {
  if (!(await isInstalled())) {
    say('installing the dependencies (npm ci); the first time this may take minutes')
    await npmCi()
  }
  if (!(await addonLoads())) await buildAddon()
  if (!(await addonLoads()))
    throw new SetupError('better-sqlite3 does not load: remove node_modules and try again.')
}

/**
 * npm records the content of node_modules when it is complete. File times are useless here, because git resets them.
 */
async function isInstalled() {
  const wanted = await readLock('package-lock.json')
  const present = await readLock('node_modules/.package-lock.json')
  return missingPackages(wanted.packages, present.packages).length === 0
}

/**
 * The packages of the lock file that node_modules lacks in that version. Optional ones may be for other systems.
 * @param {LockedPackages} wanted
 * @param {LockedPackages} present
 */
export function missingPackages(wanted, present) {
  return Object.entries(wanted)
    .filter(([path, { version, optional }]) => path !== '' && !optional && present[path]?.version !== version)
    .map(([path]) => path)
}

/**
 * @param {string} file
 * @returns {Promise<{ packages: LockedPackages }>} empty if there is no such file
 */
async function readLock(file) {
  if (!existsSync(join(root, file))) return { packages: {} }
  return /** @type {{ packages: LockedPackages }} */ (JSON.parse(await readFile(join(root, file), 'utf8')))
}

/** Whether the only native dependency works. It does not if it was built for another Node.js, or incompletely. */
async function addonLoads() {
  const script = "new (require('better-sqlite3'))(':memory:').close()"
  return run(process.execPath, ['--eval', script]).then(
    () => true,
    () => false,
  )
}

/** Builds better-sqlite3 for this Node.js, or takes what an earlier clone has built. */
async function buildAddon() {
  const { packages } = await readLock('package-lock.json')
  const cache = addonCache({
    addon: join(root, 'node_modules/better-sqlite3/build/Release/better_sqlite3.node'),
    integrity: packages['node_modules/better-sqlite3']?.integrity,
  })
  if ((await cache.restore()) && (await addonLoads())) return
  say('building better-sqlite3 for this Node.js')
  await orWithCompiler(npmRebuild)
  try {
    await cache.save()
  } catch (error) {
    say(`the next clone builds it again: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Without install scripts: the only one that is needed builds the add-on, which may be kept from an earlier clone. */
async function npmCi() {
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'])
}

async function npmRebuild() {
  await run('npm', ['rebuild', 'better-sqlite3', '--loglevel=error'], headersOfThisNode())
}

/** With the headers of the installed Node.js, an add-on can be compiled without a download. */
function headersOfThisNode() {
  const prefix = dirname(dirname(process.execPath))
  /** @type {Record<string, string>} */
  const settings = existsSync(join(prefix, 'include/node/node.h')) ? { npm_config_nodedir: prefix } : {}
  return settings
}

/**
 * Installs a compiler if the installation needs one.
 * @param {() => Promise<void>} install
 */
async function orWithCompiler(install) {
  try {
    await install()
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : String(failure)
    const isAboutCompiling = /node-gyp|gyp ERR/.test(reason)
    if (!isAboutCompiling) throw failure
    if (!(await canInstallPackages())) {
      throw new SetupError(
        `${reason}\n\nThere is no prebuilt better-sqlite3 for this system, and compiling it needs ${COMPILER.join(', ')}: install them and try again.`,
      )
    }
    await installPackages(COMPILER, 'compile better-sqlite3')
    await install()
  }
}
