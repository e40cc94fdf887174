import { existsSync } from 'node:fs'
import { cp, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { execa } from 'execa'

import { ensureDebootstrap } from '../../scripts/setup/debootstrap.mjs'
import { findProgram } from '../../scripts/setup/find-program.mjs'
import { onFinished } from './lifetime.js'

/** What the official image `node` has beside Node.js, as far as the image needs it. */
const PACKAGES = ['ca-certificates', 'g++', 'make', 'python3']
/** Node.js and npm have settings of this machine there: the headers for add-ons, and the authorities that it trusts. */
const PREFIX = 'usr/local'
const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt'

/**
 * Makes images with these names if the engine lacks one of them, because no registry may be within reach: Debian
 * bookworm with the Node.js and npm of this machine. They are removed at the end.
 */
export async function ensureImageBases(names: string[]): Promise<void> {
  const present = await Promise.all(names.map(isPresent))
  const missing = names.filter((_, index) => !present[index])
  if (missing.length === 0) return
  await ensureDebootstrap()
  // Not in the folder of other temporary files, which may be in memory and without device files.
  const tree = await mkdtemp('/var/tmp/switchyard-test-image-')
  try {
    await execa('debootstrap', ['--variant=minbase', `--include=${PACKAGES.join(',')}`, 'bookworm', tree])
    await addNode(tree)
    const { stdout: id } = await execa('sh', [
      '-c',
      'tar --directory "$0" --create . | docker import --change \'CMD ["node"]\' -',
      tree,
    ])
    for (const name of missing) {
      await execa('docker', ['tag', id, name])
      onFinished(() => execa('docker', ['rmi', name]))
    }
  } finally {
    await rm(tree, { recursive: true, force: true })
  }
}

async function isPresent(name: string): Promise<boolean> {
  const { exitCode } = await execa('docker', ['image', 'inspect', name], { reject: false })
  return exitCode === 0
}

/** Node.js, npm and the user `node`, at the places that the official image has them. */
async function addNode(tree: string): Promise<void> {
  const npm = dirname(dirname(await realpath((await findProgram('npm')) ?? 'npm')))
  const headers = join(dirname(dirname(process.execPath)), 'include/node')
  await cp(process.execPath, join(tree, PREFIX, 'bin/node'))
  await cp(npm, join(tree, PREFIX, 'lib/node_modules/npm'), { recursive: true })
  if (existsSync(headers)) await cp(headers, join(tree, PREFIX, 'include/node'), { recursive: true })
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(tree, PREFIX, 'bin/npm'))
  if (existsSync(AUTHORITIES)) await cp(AUTHORITIES, join(tree, PREFIX, 'etc/authorities.crt'))
  await writeFile(join(tree, PREFIX, 'etc/npmrc'), await npmSettings())
  await execa('chroot', [tree, 'useradd', '--uid', '1000', '--create-home', 'node'])
}

async function npmSettings(): Promise<string> {
  const { stdout: registry } = await execa('npm', ['config', 'get', 'registry'])
  return `registry=${registry}\nnodedir=/${PREFIX}\ncafile=/${PREFIX}/etc/authorities.crt\n`
}
