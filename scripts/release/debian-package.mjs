import { cp, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

import { EXTERNAL } from '../../rolldown.config.js'
import { root } from '../setup/root.mjs'
import { run } from '../setup/run.mjs'
import { licensesOf } from '../third-party-licenses.mjs'
import { BUNDLED_LICENCES } from './bundled-licences.mjs'
import { debianChangelog, nodeDependency } from './debian-texts.mjs'
import { isNeeded, runtimePackages } from './runtime-packages.mjs'

/**
 * Builds the Debian package from the npm package, the packages that its programs load, and debian/.
 * @param {object} release
 * @param {string} release.work an empty folder
 * @param {string} release.source the commit
 * @param {string} release.tarball the npm package
 * @param {string} release.version
 * @param {string} release.date of the commit, as RFC 2822 has it
 * @param {string} file the package
 */
export async function packDebian({ work, source, tarball, version, date }, file) {
  const tree = join(work, 'tree')
  await mkdir(tree)
  await run('tar', ['--extract', '--file', tarball, '--directory', tree, '--strip-components=1'])
  await cp(join(source, 'debian'), join(tree, 'debian'), { recursive: true })
  await writeFile(join(tree, 'debian/changelog'), debianChangelog(version, date))
  await addPackages(tree)
  await run('sh', ['-c', 'cd "$0" && dpkg-buildpackage --build=binary --no-sign', tree], {
    NODE_DEPENDS: nodeDependency(process.versions.node),
  })
  await rename(join(work, basename(file)), file)
}

/**
 * Copies the packages that the programs load, and writes their licences and those of the bundled ones into one file.
 * @param {string} tree
 */
async function addPackages(tree) {
  const lock = /** @type {{ packages: import('./runtime-packages.mjs').Locked }} */ (
    JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
  )
  const folders = runtimePackages(lock.packages, EXTERNAL)
  for (const folder of folders) await copyPackage(folder, tree)
  const bundled = await Promise.all(BUNDLED_LICENCES.map((name) => readFile(join(tree, name), 'utf8')))
  const loaded = licensesOf(folders.map((folder) => join(root, folder)))
  await writeFile(join(tree, 'third-party-licences.txt'), [...bundled, loaded].join('\n'))
}

/**
 * @param {string} folder such as node_modules/ssh2
 * @param {string} tree
 */
async function copyPackage(folder, tree) {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    // Packages inside of this one are copied by themselves, if they are needed.
    .filter((path) => path.lastIndexOf('node_modules/') <= folder.lastIndexOf('node_modules/'))
    .filter((path) => isNeeded(path.slice('node_modules/'.length)))
  for (const path of paths) {
    await mkdir(dirname(join(tree, path)), { recursive: true })
    await cp(join(root, path), join(tree, path))
  }
}
