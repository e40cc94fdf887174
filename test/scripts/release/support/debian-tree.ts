import { chmod, copyFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

import { execa, type ResultPromise } from 'execa'

import { ensureDebootstrap } from '../../../../scripts/setup/debootstrap.mjs'
import { onFinished } from '../../../support/lifetime.js'

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
/** Where the stand-in for systemctl writes what it was asked for. */
const SYSTEMCTL_CALLS = 'var/log/systemctl'

/** A Debian system in a folder, with the Node.js of this machine as a package, and without running services. */
export class DebianTree {
  private constructor(readonly root: string) {}

  static async open(): Promise<DebianTree> {
    await ensureDebootstrap()
    // Not in the folder of other temporary files, which may be in memory and without device files.
    const root = await mkdtemp('/var/tmp/switchyard-test-debian-')
    onFinished(() => rm(root, { recursive: true, force: true }))
    await chmod(root, 0o755)
    // What the package depends on, apart from Node.js: installing it needs no server of packages.
    const packages = 'adduser,ca-certificates,git'
    await execa('debootstrap', ['--variant=minbase', `--include=${packages}`, 'bookworm', root])
    const tree = new DebianTree(root)
    await tree.installNode()
    await tree.replaceSystemctl()
    return tree
  }

  /** Runs a program of the tree to its end, with its /proc, and returns what it prints. */
  async run(...command: string[]): Promise<string> {
    const { all } = await this.start(command, { DEBIAN_FRONTEND: 'noninteractive' })
    return all
  }

  /** Starts a program of the tree as one of its users. */
  start(command: string[], environment: Record<string, string> = {}, user = 'root', folder = '/') {
    const asUser = ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--init-groups']
    return execa(
      'unshare',
      ['--mount', '--mount-proc', `--root=${this.root}`, `--wd=${folder}`, ...asUser, ...command],
      {
        all: true,
        env: { PATH, ...environment },
        extendEnv: false,
        // A coordinator stops when its connections are closed.
        forceKillAfterDelay: false,
      },
    ) satisfies ResultPromise
  }

  /** Installs a package file as an administrator does. Returns what apt prints. */
  async install(file: string): Promise<string> {
    await copyFile(file, this.path('/root', basename(file)))
    return this.run('apt-get', 'install', '--yes', `/root/${basename(file)}`)
  }

  path(...parts: string[]): string {
    return join(this.root, ...parts)
  }

  read(path: string): Promise<string> {
    return readFile(this.path(path), 'utf8')
  }

  /** What the scripts of packages have asked systemd for since the last call. */
  async systemctlCalls(): Promise<string[]> {
    const calls = await this.read(SYSTEMCTL_CALLS)
    await writeFile(this.path(SYSTEMCTL_CALLS), '')
    return calls.split('\n').filter((line) => line !== '')
  }

  private async installNode(): Promise<void> {
    const folder = this.path('root/nodejs')
    const control = [
      'Package: nodejs',
      `Version: ${process.versions.node}-1`,
      'Architecture: all',
      'Maintainer: Tests <tests@example.com>',
      'Depends: libstdc++6',
      'Description: Node.js of the machine that runs the tests',
      '',
    ]
    await mkdir(join(folder, 'DEBIAN'), { recursive: true })
    await mkdir(join(folder, 'usr/bin'), { recursive: true })
    await writeFile(join(folder, 'DEBIAN/control'), control.join('\n'))
    await cp(process.execPath, join(folder, 'usr/bin/node'))
    await execa('dpkg-deb', ['--root-owner-group', '-Znone', '--build', folder, `${folder}.deb`])
    await this.run('apt-get', 'install', '--yes', '/root/nodejs.deb')
  }

  /** Maintainer scripts believe that systemd runs, and their requests are recorded. */
  private async replaceSystemctl(): Promise<void> {
    await mkdir(this.path('run/systemd/system'), { recursive: true })
    await writeFile(this.path(SYSTEMCTL_CALLS), '')
    // apt gives maintainer scripts a PATH without /usr/local.
    await writeFile(this.path('usr/bin/systemctl'), `#!/bin/sh\necho "$*" >> /${SYSTEMCTL_CALLS}\n`, {
      mode: 0o755,
    })
  }
}
