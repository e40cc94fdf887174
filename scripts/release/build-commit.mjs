import { mkdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'

import { root } from '../setup/root.mjs'
import { run } from '../setup/run.mjs'
import { outputOf } from './output-of.mjs'

/**
 * Builds the last commit in `folder`, with the packages of this clone: what is packed does not depend on files that are
 * not committed.
 * @param {string} folder
 * @param {string} version what the built program must say
 */
export async function buildCommit(folder, version) {
  await checkOut(folder)
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  // Under another one, such as that of a test, Vite bundles what helps to develop.
  await run('npm', ['run', '--silent', '--prefix', folder, 'build'], { NODE_ENV: 'production' })
  const said = await outputOf(process.execPath, ['dist/cli/main.js', '--version'], folder)
  if (said !== version) throw new Error(`The built program says that it is ${said}, not ${version}`)
}

/** @param {string} folder */
async function checkOut(folder) {
  const archive = `${folder}.tar`
  await mkdir(folder)
  await run('git', ['archive', '--output', archive, 'HEAD'])
  await run('tar', ['--extract', '--file', archive, '--directory', folder])
  await rm(archive)
}
