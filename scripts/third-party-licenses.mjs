import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const SEPARATOR = `\n${'-'.repeat(80)}\n\n`

/**
 * Writes the licences of the bundled packages, whose authors ask for that, to `fileName`.
 * @param {string} fileName
 * @returns {import('rolldown').Plugin}
 */
export function thirdPartyLicenses(fileName) {
  return {
    name: 'third-party-licenses',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
      const packages = modules.map((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0])
      const folders = [...new Set(packages.filter((folder) => folder !== undefined))].sort()
      this.emitFile({ type: 'asset', fileName, source: licensesOf(folders) })
    },
  }
}

/**
 * The licences of packages, as one text.
 * @param {readonly string[]} folders
 */
export function licensesOf(folders) {
  return folders.map(licenseOf).join(SEPARATOR)
}

/**
 * @param {string} folder
 * @returns {string} name, version and licence of the package in `folder`
 */
function licenseOf(folder) {
  const { name, version, license } = /** @type {{ name: string, version: string, license?: string }} */ (
    JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  )
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8'))
  return [`${name} ${version}, ${license ?? 'see below'}\n`, ...texts].join('\n')
}
