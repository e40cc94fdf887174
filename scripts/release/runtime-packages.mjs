/**
 * Packages that packages of a program name and the program never loads: they compile or download an add-on, declare
 * types, or speed up what works without them.
 */
const NOT_LOADED = ['@scarf/scarf', '@types/node', 'cpu-features', 'nan', 'prebuild-install']

/** Files of a package that no program loads. Licences are collected in one file. */
const NOT_NEEDED = [
  /\.(?:md|markdown|map|ts|mts|cts|flow|tsbuildinfo|gyp|gypi|mk|yml|yaml|html|txt)$/,
  /(?:^|\/)(?:\.[^/]+|(?:licen[cs]e|notice|copying|authors|changelog|history|makefile)(?:[.-](?!(?:[cm]?js|json)$)[^/]*)?)$/i,
  /(?:^|\/)(?:tests?|examples?|docs?|benchmarks?|bench|bin|\.github|obj\.target)\//,
  /^better-sqlite3\/(?:deps|src)\//,
  /^better-sqlite3\/build\/(?!Release\/better_sqlite3\.node$)/,
]

/** @typedef {Record<string, { dependencies?: Record<string, string>, optionalDependencies?: Record<string, string> }>} Locked */

/**
 * The packages that the bundled programs load from node_modules: `names` and what these need, as folders in the lock file.
 * @param {Locked} locked `packages` of package-lock.json
 * @param {readonly string[]} names
 * @returns {string[]}
 */
export function runtimePackages(locked, names) {
  /** @type {Set<string>} */
  const found = new Set()
  /** @param {string} name @param {string} from */
  const add = (name, from) => {
    const folder = resolve(locked, name, from)
    if (folder === undefined || NOT_LOADED.includes(name) || found.has(folder)) return
    found.add(folder)
    const { dependencies, optionalDependencies } = locked[folder] ?? {}
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) add(needed, folder)
  }
  for (const name of names) add(name, '')
  return [...found].sort()
}

/**
 * Whether a program may need this file of a package.
 * @param {string} path below node_modules
 */
export function isNeeded(path) {
  return !NOT_NEEDED.some((pattern) => pattern.test(path))
}

/**
 * The folder that `name` is loaded from by the package in `from`: the nearest one, as Node.js finds it.
 * @param {Locked} locked
 * @param {string} name
 * @param {string} from
 * @returns {string | undefined}
 */
function resolve(locked, name, from) {
  const folder = `${from === '' ? '' : `${from}/`}node_modules/${name}`
  if (folder in locked) return folder
  return from === ''
    ? undefined
    : resolve(locked, name, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))))
}
