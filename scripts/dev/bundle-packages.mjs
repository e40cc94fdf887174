import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { build } from 'rolldown'

import config, { EXTERNAL } from '../../rolldown.config.js'
import { root } from '../setup/root.mjs'
import { DEV_FOLDER } from './paths.mjs'

const ENTRY = '\0package:'

/** File names have no slash. @param {string} specifier */
const nameOf = (specifier) => specifier.replaceAll('/', '__')

/**
 * Bundles the packages that the server imports, each into a file of its own: to bundle them at each change would take as
 * long as to bundle the sources. The files are kept until the installed packages change.
 * @returns {Promise<import('rolldown').Plugin>} lets a bundle of the sources import them
 */
export async function bundlePackages() {
  const specifiers = await importedPackages()
  const lock = await readFile(join(root, 'package-lock.json'))
  const version = createHash('sha256').update(lock).update(specifiers.join()).digest('hex').slice(0, 12)
  const folder = join(DEV_FOLDER, 'packages', version)
  if (!existsSync(folder)) await writePackages(specifiers, folder)
  const files = new Map(
    specifiers.map((specifier) => [specifier, pathToFileURL(join(folder, `${nameOf(specifier)}.js`)).href]),
  )
  return {
    name: 'bundled-packages',
    resolveId: {
      filter: { id: /^[^./\0]/ },
      // A package that has been added since is bundled with the sources.
      handler: (id) => {
        const file = files.get(id)
        return file === undefined ? null : { id: file, external: true }
      },
    },
  }
}

/** What the sources import, such as `typebox/value`, of packages that the bundle contains. */
async function importedPackages() {
  const manifest = /** @type {{ dependencies: Record<string, string> }} */ (
    JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  )
  const packages = Object.keys(manifest.dependencies).filter((name) => !EXTERNAL.includes(name))
  const files = await readdir(join(root, 'src'), { recursive: true })
  const sources = files.filter((file) => /\.[jt]s$/.test(file) && !file.startsWith('web/'))
  const texts = await Promise.all(sources.map((file) => readFile(join(root, 'src', file), 'utf8')))
  const specifiers = texts.flatMap((text) => text.match(/(?<=(?:from |import\()')[^.'][^']*(?=')/g) ?? [])
  const isBundled = (/** @type {string} */ specifier) =>
    packages.some((name) => specifier === name || specifier.startsWith(`${name}/`))
  return [...new Set(specifiers)].filter(isBundled).sort()
}

/**
 * @param {string[]} specifiers
 * @param {string} folder which is complete as soon as it exists
 */
async function writePackages(specifiers, folder) {
  await rm(join(DEV_FOLDER, 'packages'), { recursive: true, force: true })
  const [output] = [config.output].flat()
  await build({
    ...config,
    input: Object.fromEntries(specifiers.map((specifier) => [nameOf(specifier), ENTRY + specifier])),
    // Some packages have files for bundlers, which lack what is exported to Node.js alone, such as `__esModule`.
    shimMissingExports: true,
    logLevel: 'silent',
    plugins: [packageEntries()],
    output: { ...output, dir: `${folder}.new` },
  })
  await rename(`${folder}.new`, folder)
}

/**
 * An entry for each package. It names all exports: a bundle of a CommonJS package has only those that are named.
 * @returns {import('rolldown').Plugin}
 */
function packageEntries() {
  return {
    name: 'package-entries',
    async resolveId(id, importer) {
      if (id.startsWith(ENTRY)) return id
      if (!importer?.startsWith(ENTRY)) return null
      return this.resolve(id, join(root, 'src/cli/main.ts'), { skipSelf: true })
    },
    load: {
      filter: { id: new RegExp(`^${ENTRY}`) },
      handler: async (id) => {
        const specifier = id.slice(ENTRY.length)
        const exported = Object.keys(/** @type {object} */ (await import(specifier)))
        const names = exported.filter((name) => /^[\w$]+$/.test(name))
        return `export { ${names.join(', ')} } from ${JSON.stringify(specifier)}`
      },
    },
  }
}
