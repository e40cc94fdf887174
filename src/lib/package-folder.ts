import { existsSync } from 'node:fs'

/**
 * The root folder of this package, with package.json, config/ and systemd/. The build bundles modules into files at other
 * depths than their sources, so no path relative to a module holds in both.
 */
export const PACKAGE_FOLDER: URL = findPackageFolder(new URL('./', import.meta.url))

function findPackageFolder(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder
  const parent = new URL('../', folder)
  if (parent.href === folder.href) throw new Error('The package.json of Switchyard was not found')
  return findPackageFolder(parent)
}
