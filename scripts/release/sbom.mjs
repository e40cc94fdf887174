import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { BUNDLED_LICENCES } from './bundled-licences.mjs'
import { outputOf } from './output-of.mjs'

const DEVELOPMENT = 'cdx:npm:package:development'

/**
 * @typedef {{ 'bom-ref': string, name: string, version: string, properties?: { name: string, value: string }[] }} Component
 *
 * @typedef {object} Bom a CycloneDX document, as far as it is read here
 * @property {{ component: Component }} metadata
 * @property {Component[]} components
 * @property {{ ref: string, dependsOn?: string[] }[]} dependencies
 */

/**
 * The bill of materials of what is installed: the dependencies, and the packages for development whose code is in the
 * pages.
 * @param {string} folder a built commit
 * @returns {Promise<string>}
 */
export async function billOfMaterials(folder) {
  const text = await outputOf(
    'npm',
    ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'],
    folder,
  )
  const bom = /** @type {Bom} */ (JSON.parse(text))
  const licences = await Promise.all(BUNDLED_LICENCES.map((name) => readFile(join(folder, name), 'utf8')))
  return `${JSON.stringify(shippedOnly(bom, licences.flatMap(bundledPackages)), undefined, 2)}\n`
}

/**
 * Leaves out the packages for development that are not bundled.
 * @param {Bom} bom
 * @param {readonly string[]} bundled such as `preact@11.0.0`
 * @returns {Bom}
 */
export function shippedOnly(bom, bundled) {
  const components = bom.components.filter(
    ({ name, version, properties = [] }) =>
      bundled.includes(`${name}@${version}`) || !properties.some((property) => property.name === DEVELOPMENT),
  )
  const shipped = new Set([bom.metadata.component, ...components].map((component) => component['bom-ref']))
  return {
    ...bom,
    components,
    dependencies: bom.dependencies
      .filter(({ ref }) => shipped.has(ref))
      .map(({ ref, dependsOn = [] }) => ({
        ref,
        dependsOn: dependsOn.filter((needed) => shipped.has(needed)),
      })),
  }
}

/**
 * The packages whose licences are in a text of scripts/third-party-licenses.mjs.
 * @param {string} text
 * @returns {string[]} such as `preact@11.0.0`
 */
export function bundledPackages(text) {
  return [...`\n\n${text}`.matchAll(/(?:^|\n-{80})\n\n(\S+) (\S+), /g)].map(
    ([, name, version]) => `${name}@${version}`,
  )
}
