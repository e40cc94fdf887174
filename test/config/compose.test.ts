import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { execa } from 'execa'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'

import { healthRoutes } from '../../src/coordinator/http/health.js'
import {
  readCoordinatorSecrets,
  readCoordinatorSettings,
} from '../../src/coordinator/start/config/settings.js'
import { testAtNight } from '../support/nightly.js'

interface Service {
  image: string
  command?: string[]
  environment?: Record<string, string>
  volumes?: string[]
  ports?: string[]
  configs?: { source: string; target: string }[]
  depends_on?: string[] | Record<string, { condition: string }>
  healthcheck?: { test: string[] }
}

interface Compose {
  services: Record<string, Service>
  volumes: Record<string, unknown>
  configs: Record<string, { file: string }>
}

const text = readFileSync('config/compose.yaml', 'utf8')
const { services, volumes, configs } = parse(text, { merge: true }) as Compose
const nginx = readFileSync(join('config', configs['nginx']?.file ?? ''), 'utf8')
const dockerfile = readFileSync('Dockerfile', 'utf8')
const coordinators = Object.keys(services).filter((name) => name.startsWith('coordinator-'))

test('the compose file has two coordinators, which differ only in the volume of their own data', () => {
  const [first, second] = coordinators.map(serviceOf)
  expect(coordinators).toHaveLength(2)
  const own = first?.volumes?.filter((volume) => !second?.volumes?.includes(volume))
  expect(own).toEqual(['coordinator-1:/var/lib/switchyard'])
  expect({ ...first, volumes: [] }).toEqual({ ...second, volumes: [] })
})

test('its variables are settings of the coordinator, and fit the services beside it', () => {
  const environment = serviceOf('coordinator-1').environment ?? {}
  const read = new Set<string>()
  const recording = new Proxy(environment, {
    get: (target, name) => {
      read.add(String(name))
      return target[String(name)]
    },
  })
  const settings = readCoordinatorSettings(flagsOfImage(), recording)
  const { adminToken } = readCoordinatorSecrets(recording)
  expect(Object.keys(environment).filter((name) => !read.has(name))).toEqual([])

  const { POSTGRES_USER: user, POSTGRES_PASSWORD: password } = serviceOf('postgres').environment ?? {}
  expect(settings.database).toEqual({
    dialect: 'postgres',
    url: `postgres://${user}:${password}@postgres/${user}`,
  })
  const { MINIO_ROOT_USER: accessKeyId, MINIO_ROOT_PASSWORD: secretAccessKey } =
    serviceOf('s3').environment ?? {}
  expect(settings.storage).toMatchObject({
    location: {
      bucket: {
        serverAddress: 's3:9000',
        bucketName: 'switchyard',
        credentials: { accessKeyId, secretAccessKey },
      },
    },
  })
  const [createBucket = ''] = serviceOf('bucket').command ?? []
  expect(createBucket).toContain(`store http://s3:9000 ${accessKeyId} ${secretAccessKey}`)
  expect(createBucket).toContain('store/switchyard')
  expect(settings.externalUrl).toBe('http://localhost:8929')
  expect(text).toContain(`The token of the administrator is "${adminToken}"`)
  const mounted = serviceOf('coordinator-1').volumes?.map((volume) => volume.split(':')[1])
  expect(mounted).toEqual([settings.sharedDir, settings.dataDir])
})

test('its volumes, files and dependencies exist', () => {
  const all = Object.values(services)
  const mounted = all.flatMap((service) => service.volumes ?? []).map((volume) => volume.split(':')[0])
  expect([...new Set(mounted)].sort()).toEqual(Object.keys(volumes).sort())
  const used = all.flatMap((service) => service.configs ?? []).map(({ source }) => source)
  expect(used).toEqual(Object.keys(configs))
  for (const { file } of Object.values(configs)) expect(existsSync(join('config', file))).toBe(true)
  for (const { depends_on: dependencies = {} } of all) {
    const conditions = Array.isArray(dependencies)
      ? dependencies.map((name): [string, undefined] => [name, undefined])
      : Object.entries(dependencies)
    for (const [name, condition] of conditions) {
      const { healthcheck } = serviceOf(name)
      if (condition?.condition === 'service_healthy') expect(healthcheck).toBeDefined()
    }
  }
})

test('its proxy listens at the published port, and knows each coordinator', () => {
  const [, listens] = /^ *listen (\d+);$/m.exec(nginx) ?? []
  expect(serviceOf('proxy').ports).toEqual([`127.0.0.1:8929:${listens}`])
  const servers = [...nginx.matchAll(/^ *server ([\w-]+):(\d+) /gm)].map(([, host, port]) => [host, port])
  const [, exposed] = /^EXPOSE (\d+)$/m.exec(dockerfile) ?? []
  expect(servers).toEqual(coordinators.map((name) => [name, exposed]))
})

testAtNight('its health check succeeds only while a coordinator is ready', async () => {
  let isReady = true
  const app = Fastify()
  const checkReady = () => (isReady ? Promise.resolve() : Promise.reject(new Error('no store')))
  healthRoutes(app, checkReady, new AbortController().signal)
  onTestFinished(() => app.close())
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const [kind, program = '', ...command] = serviceOf('coordinator-1').healthcheck?.test ?? []
  const check = () =>
    execa(
      program,
      command.map((part) => part.replace(':8929/', `:${port}/`)),
      { reject: false },
    )
  expect(kind).toBe('CMD')
  expect(await check()).toMatchObject({ exitCode: 0 })
  isReady = false
  expect(await check()).toMatchObject({ exitCode: 1 })
})

function serviceOf(name: string): Service {
  const service = services[name]
  if (!service) throw new Error(`The compose file has no service ${name}`)
  return service
}

/** The flags that the image passes to the coordinator. */
function flagsOfImage(): { listen: string; data_dir: string } {
  const [, command = ''] = /^CMD (\[.*\])$/m.exec(dockerfile) ?? []
  const [, , listen = '', , data_dir = ''] = JSON.parse(command) as string[]
  return { listen, data_dir }
}
