/**
 * package.json or package-lock.json of a version, laid out as npm writes them.
 * @param {string} text
 * @param {string} version
 */
export function withVersion(text, version) {
  const manifest = /** @type {{ version: string, packages?: { '': { version: string } } }} */ (
    JSON.parse(text)
  )
  manifest.version = version
  if (manifest.packages) manifest.packages[''].version = version
  return `${JSON.stringify(manifest, undefined, 2)}\n`
}

/**
 * @param {string} text of package.json
 * @returns {string}
 */
export function versionOf(text) {
  return /** @type {{ version: string }} */ (JSON.parse(text)).version
}
