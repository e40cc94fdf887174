import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { execa } from 'execa'

import { ensureSwift } from '../../scripts/setup/swift.mjs'
import { retry } from '../../src/lib/retry.js'
import { S3Client } from '../../src/s3/s3-client.js'
import type { S3Settings } from '../../src/s3/s3-settings.js'
import { freePort } from './free-port.js'
import { onFinished } from './lifetime.js'
import { SETTING_NAMES } from './s3-server.js'
import { tempDir } from './temp-dir.js'

const BUCKET = 'switchyard'

/** OpenStack Swift on this machine, with one disk and one copy of each object. Returns an empty bucket. */
export async function startSwift(): Promise<S3Settings> {
  await ensureSwift()
  const folder = await tempDir()
  await mkdir(join(folder, 'devices/d1'), { recursive: true })
  const memcachePort = await freePort()
  start('memcached', ['-u', 'nobody', '-l', '127.0.0.1', '-p', String(memcachePort), '-m', '16'])
  for (const kind of ['account', 'container', 'object']) {
    const port = await freePort()
    const builder = join(folder, `${kind}.builder`)
    await execa('swift-ring-builder', [builder, 'create', '4', '1', '0'])
    await execa('swift-ring-builder', [builder, 'add', `r1z1-127.0.0.1:${port}/d1`, '1'])
    await execa('swift-ring-builder', [builder, 'rebalance'])
    await run(
      folder,
      kind,
      port,
      `[pipeline:main]\npipeline = ${kind}-server\n[app:${kind}-server]\nuse = egg:swift#${kind}\n`,
    )
  }
  const port = await freePort()
  await run(folder, 'proxy', port, PROXY.replace('MEMCACHE', `127.0.0.1:${memcachePort}`))
  const settings: S3Settings = {
    serverAddress: `127.0.0.1:${port}`,
    bucketName: BUCKET,
    bucketLocation: undefined,
    credentials: { accessKeyId: 'test:tester', secretAccessKey: 'testing' },
    isInsecure: true,
    pathStyle: true,
    isDualStack: false,
    isAccelerated: false,
    encryption: undefined,
    names: SETTING_NAMES,
  }
  await createBucket(settings)
  return settings
}

const PROXY = `[pipeline:main]
pipeline = catch_errors cache listing_formats bulk s3api tempauth slo dlo proxy-server
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = MEMCACHE
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:bulk]
use = egg:swift#bulk
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
`

async function run(folder: string, kind: string, port: number, pipeline: string): Promise<void> {
  const file = join(folder, `${kind}-server.conf`)
  const options = {
    bind_ip: '127.0.0.1',
    bind_port: port,
    workers: 0,
    user: 'root',
    swift_dir: folder,
    devices: join(folder, 'devices'),
    mount_check: false,
    disable_fallocate: true,
    log_level: 'ERROR',
    log_address: '/nonexistent',
  }
  const lines = Object.entries(options).map(([name, value]) => `${name} = ${value}\n`)
  await writeFile(file, `[DEFAULT]\n${lines.join('')}${pipeline}`)
  start(`swift-${kind}-server`, [file])
}

function start(program: string, parameters: string[]): void {
  const child: ChildProcess = spawn(program, parameters, { stdio: ['ignore', 'ignore', 'inherit'] })
  onFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
}

/** Repeats the request until the server listens. */
async function createBucket(settings: S3Settings): Promise<void> {
  const client = new S3Client(settings)
  const create = async () => {
    const request = { method: 'PUT', name: '', signal: AbortSignal.timeout(10_000) } as const
    await (await client.send(request, [200])).body.dump()
  }
  await retry(create, { attempts: 60, delay: 500, maximumDelay: 500, isWorthRetrying: () => true })
  await client.close()
}
