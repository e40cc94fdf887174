import { existsSync, statSync } from 'node:fs'
import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'

import { execa } from 'execa'
import { expect, test } from 'vitest'

import { ensureLintian } from '../../../scripts/release/debian-tools.mjs'
import { packRelease } from '../../../scripts/release/pack.mjs'
import { Api } from '../../integration/support/api.js'
import { freePort } from '../../support/free-port.js'
import { onFinished, openForFile } from '../../support/lifetime.js'
import { tempDir } from '../../support/temp-dir.js'
import { DebianTree } from './support/debian-tree.js'
import { readUnit } from './support/unit.js'

const OLDER = '0.0.1'
/** A line of its settings. */
const ONLY_OLDER = `# only in ${OLDER}`
const DATA = '/var/lib/switchyard'
const SETTINGS = '/etc/switchyard'

const release = openForFile(async () => {
  const folder = join(await tempDir(), 'release')
  await packRelease(folder)
  const names = await readdir(folder)
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string }
  const find = (end: string) =>
    join(folder, names.find((name) => name.endsWith(end)) ?? `nothing with ${end}`)
  return {
    folder,
    version,
    debian: find('.deb'),
    image: find('-image.tar.gz'),
    npm: find('.tgz'),
    sbom: find('.cdx.json'),
  }
})

test('the checksums are those of all files', async () => {
  const { folder, ...files } = release()
  const { stdout } = await execa('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: folder })
  const { version: _, ...paths } = files
  expect(stdout.split('\n').sort()).toEqual(
    Object.values(paths)
      .map((path) => `${basename(path)}: OK`)
      .sort(),
  )
})

test('Debian finds no fault in the package', async () => {
  await ensureLintian()
  const { stdout } = await execa('lintian', ['--fail-on=error,warning', '--display-info', release().debian], {
    reject: false,
  })
  expect(stdout).toBe('')
})

test('the npm package installs a command that says the version', async () => {
  const prefix = await tempDir()
  await execa('npm', [
    'install',
    '--global',
    '--prefix',
    prefix,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    release().npm,
  ])
  const { stdout } = await execa(join(prefix, 'bin/switchyard'), ['--version'])
  expect(stdout).toBe(release().version)
})

test('the image context has what the Dockerfile copies, and the version', async () => {
  const folder = await tempDir()
  await execa('tar', ['--extract', '--file', release().image, '--directory', folder, '--strip-components=1'])
  const dockerfile = await readFile(join(folder, 'Dockerfile'), 'utf8')
  expect(dockerfile).toContain(`LABEL org.opencontainers.image.version="${release().version}"`)
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = '']) =>
    paths.split(' '),
  )
  expect(copied.filter((path) => !existsSync(join(folder, path)))).toEqual([])
})

test('the bill of materials names the package, and what is in it', async () => {
  const bom = JSON.parse(await readFile(release().sbom, 'utf8')) as {
    bomFormat: string
    metadata: { component: { name: string; version: string } }
    components: { name: string }[]
  }
  expect(bom.bomFormat).toBe('CycloneDX')
  expect(bom.metadata.component).toMatchObject({ name: 'switchyard', version: release().version })
  const names = bom.components.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['better-sqlite3', 'fastify', 'preact']))
  expect(names).not.toContain('vitest')
})

test('the Debian package is installed, upgraded, removed and purged, and loses data only at the end', async () => {
  const tree = await DebianTree.open()

  await tree.install(await olderPackage())
  expect(await tree.run('switchyard', '--version')).toBe(OLDER)
  expect(asksForServices(await tree.systemctlCalls())).toEqual([])
  expect(await tree.run('stat', '--format=%U %a', DATA, SETTINGS)).toBe('switchyard 700\nroot 750')

  const port = await freePort()
  await appendFile(tree.path(SETTINGS, 'coordinator.env'), `SWITCHYARD_LISTEN=127.0.0.1:${port}\n`)
  const changed = await tree.read(`${SETTINGS}/coordinator.env`)
  const before = await startCoordinator(tree)
  expect(await before.api.json('GET', '/version')).toMatchObject({ revision: `switchyard-${OLDER}` })
  const { id } = await before.api.createProject('kept')
  await before.stop()

  expect(await tree.install(release().debian)).toContain('Setting up switchyard')
  expect(asksForServices(await tree.systemctlCalls())).toEqual([
    'try-restart switchyard-coordinator.service switchyard-runner.service',
  ])
  expect(await tree.read(`${SETTINGS}/coordinator.env`)).toBe(changed)
  expect(await tree.read(`${SETTINGS}/coordinator.toml`)).not.toContain(ONLY_OLDER)

  const after = await startCoordinator(tree)
  expect(await after.api.json('GET', '/version')).toMatchObject({
    revision: `switchyard-${release().version}`,
  })
  expect(await after.api.json('GET', `/projects/${id}`)).toMatchObject({ name: 'kept' })
  await registerRunner(tree, after.api, after.url)
  await after.stop()

  await tree.run('apt-get', 'remove', '--yes', 'switchyard')
  expect(asksForServices(await tree.systemctlCalls())).toEqual([
    'stop switchyard-backup.timer switchyard-coordinator.service switchyard-runner.service',
  ])
  expect(existsSync(tree.path('usr/lib/switchyard'))).toBe(false)
  expect(await tree.read(`${SETTINGS}/coordinator.env`)).toBe(changed)
  expect(statSync(tree.path(DATA, 'secret.key')).size).toBeGreaterThan(0)

  await tree.run('apt-get', 'purge', '--yes', 'switchyard')
  const left = [DATA, SETTINGS, '/var/lib/switchyard-runner', '/etc/switchyard-runner'].filter((path) =>
    existsSync(tree.path(path)),
  )
  expect(left).toEqual([])
})

/** The package with a lower version, and with settings that have a line more. */
async function olderPackage(): Promise<string> {
  const folder = join(await tempDir(), 'older')
  await execa('dpkg-deb', ['--raw-extract', release().debian, folder])
  await replace(join(folder, 'DEBIAN/control'), /^Version: .*$/m, `Version: ${OLDER}-1`)
  await replace(join(folder, 'usr/lib/switchyard/package.json'), /"version": ".*"/, `"version": "${OLDER}"`)
  await appendFile(join(folder, SETTINGS, 'coordinator.toml'), `${ONLY_OLDER}\n`)
  await execa('dpkg-deb', ['--root-owner-group', '-Znone', '--build', folder, `${folder}.deb`])
  return resolve(`${folder}.deb`)
}

async function replace(file: string, pattern: RegExp, text: string): Promise<void> {
  await writeFile(file, (await readFile(file, 'utf8')).replace(pattern, text))
}

/** Those that start, stop or enable something. */
function asksForServices(calls: string[]): string[] {
  return calls.filter((call) => /\b(start|stop|restart|try-restart|enable|disable)\b/.test(call))
}

/** Starts the command of the unit, as its user. */
async function startCoordinator(tree: DebianTree) {
  const text = await tree.read('/lib/systemd/system/switchyard-coordinator.service')
  const { command, user, folder, environment } = await readUnit(text, (path) => tree.read(path))
  expect({ command: command[0], user }).toEqual({ command: 'switchyard', user: 'switchyard' })
  const coordinator = tree.start(command, environment, user, folder)
  onFinished(() => coordinator.kill('SIGKILL'))
  const url = await listeningAt(coordinator)
  return {
    url,
    api: new Api(url, (await tree.read(`${DATA}/admin-token`)).trim()),
    stop: async () => {
      coordinator.kill('SIGTERM')
      await coordinator
    },
  }
}

/** The address that the coordinator prints; fails with its output if it ends first. */
async function listeningAt(coordinator: ReturnType<DebianTree['start']>): Promise<string> {
  const address = new Promise<string>((resolve) => {
    let text = ''
    coordinator.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const [, url] = /^Listening on ([^,\s]+).*\n/m.exec(text) ?? []
      if (url) resolve(url)
    })
  })
  const ended = coordinator.then(({ all }): never => {
    throw new Error(`The coordinator has ended:\n${all}`)
  })
  return Promise.race([address, ended])
}

/** Registers a runner with the installed command, which loads the client of the engine. */
async function registerRunner(tree: DebianTree, api: Api, url: string): Promise<void> {
  const token = (await tree.read(`${DATA}/runner-registration-token`)).trim()
  const options = ['--non-interactive', '--url', url, '--registration-token', token, '--executor', 'docker']
  await tree.run('switchyard', 'runner', 'register', ...options, '--docker-image', 'busybox')
  expect(await api.json('GET', '/runners/all')).toHaveLength(1)
}
