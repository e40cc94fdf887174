import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import type { V1PodSpec, V1PolicyRule } from '@kubernetes/client-node'
import { parse as parseToml } from 'smol-toml'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'

import {
  readCoordinatorSecrets,
  readCoordinatorSettings,
} from '../../src/coordinator/start/config/settings.js'
import { VERSION } from '../../src/lib/version.js'
import { readSettings } from '../../src/runner/config/read-settings.js'
import type { RunnerRegistration } from '../../src/runner/config/settings.js'
import type { Container } from '../../src/runner/executor/kubernetes/api-types.js'
import { NEEDED_RIGHTS } from '../../src/runner/executor/kubernetes/needed-rights.js'

interface Manifest {
  kind: string
  metadata: { name: string; namespace?: string }
  rules?: V1PolicyRule[]
  roleRef?: { kind: string; name: string }
  subjects?: { kind: string; name: string; namespace: string }[]
  data?: Record<string, string>
  stringData?: Record<string, string>
  spec?: {
    replicas?: number
    strategy?: { type: string }
    selector?: Record<string, unknown>
    template?: { metadata?: { labels: Record<string, string> }; spec: V1PodSpec }
    volumeClaimTemplates?: { metadata: { name: string } }[]
    ports?: { name: string; port: number }[]
  }
}

const FOLDER = 'config/kubernetes'
const FILES = readdirSync(FOLDER)
const RUNNERS = ['runner-statefulset.yaml', 'runner-deployment.yaml']
const IMAGE = `registry.example.com/switchyard:${VERSION}`
const dockerfile = readFileSync('Dockerfile', 'utf8')

describe('the rights of runners', () => {
  const rightsIn = (name: string) =>
    (find(name, 'Role').rules ?? []).flatMap(({ apiGroups, resources = [], verbs }) =>
      resources.flatMap((resource) => verbs.map((verb) => `${apiGroups?.join()} ${resource} ${verb}`)),
    )
  const needed = (isFull: boolean) =>
    NEEDED_RIGHTS.filter(({ onlyFor }) => isFull || onlyFor === undefined).map(
      ({ resource, verb }) => ` ${resource} ${verb}`,
    )

  test('are those that jobs need, and no others', () => {
    expect(rightsIn('runner-rbac.yaml').sort()).toEqual(needed(true).sort())
  })

  test('of the smaller file are those that every job needs', () => {
    expect(rightsIn('runner-rbac-minimal.yaml').sort()).toEqual(needed(false).sort())
    const others = (name: string) => read(name).filter(({ kind }) => kind !== 'Role')
    expect(others('runner-rbac-minimal.yaml')).toEqual(others('runner-rbac.yaml'))
  })

  test('are in the table of the documentation', () => {
    const [, section = ''] = readFileSync('docs/kubernetes.md', 'utf8').split(/^### Rights$/m)
    const rows = [...section.matchAll(/^\| `([\w/]+)`: (.+?) +\|/gm)]
    const documented = rows.flatMap(([, resource, verbs = '']) =>
      [...verbs.matchAll(/`(\w+)`/g)].map(([, verb]) => ` ${resource} ${verb}`),
    )
    expect(documented.sort()).toEqual(needed(true).sort())
  })

  test('belong to the account of the runners, in the namespace of the jobs alone', () => {
    const { kubernetes } = configuredRunner()
    const [role, binding] = ['Role', 'RoleBinding'].map((kind) => find('runner-rbac.yaml', kind))
    expect([role?.metadata.namespace, binding?.metadata.namespace]).toEqual([
      kubernetes?.namespace,
      kubernetes?.namespace,
    ])
    expect(binding).toMatchObject({ roleRef: { kind: 'Role', name: role?.metadata.name } })
    for (const file of RUNNERS) {
      const account = podIn(
        find(file, file.includes('stateful') ? 'StatefulSet' : 'Deployment'),
      ).serviceAccountName
      expect(binding?.subjects).toEqual([{ kind: 'ServiceAccount', name: account, namespace: 'switchyard' }])
    }
    const kinds = FILES.flatMap((file) => read(file)).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind.startsWith('ClusterRole'))).toEqual([])
  })
})

describe('the runners', () => {
  const [stateful, deployed] = [find(RUNNERS[0] ?? '', 'StatefulSet'), find(RUNNERS[1] ?? '', 'Deployment')]

  test('have settings without warnings, which fit the manifests', () => {
    const registration = configuredRunner()
    expect(registration).toMatchObject({
      executor: 'kubernetes',
      token: 'glrt-change-this',
      kubernetes: { namespace: 'switchyard-jobs', helperImage: IMAGE },
    })
    const { name, namespace = '' } = find('coordinator.yaml', 'Service').metadata
    expect(registration.url).toBe(
      `http://${name}.${namespace}.svc:${find('coordinator.yaml', 'Service').spec?.ports?.[0]?.port}`,
    )
  })

  test.each(RUNNERS)('of %s find their settings and their data where the image looks for them', (file) => {
    const [container] = podIn(find(file, file === RUNNERS[0] ? 'StatefulSet' : 'Deployment')).containers
    const [, configFile = ''] = /CONFIG_FILE=(\S+)/.exec(dockerfile) ?? []
    expect(container?.volumeMounts).toContainEqual({
      name: 'config',
      mountPath: configFile,
      subPath: 'config.toml',
    })
    const { settings } = readRunnerConfig()
    expect(container?.volumeMounts).toContainEqual({ name: 'data', mountPath: settings.dataDir })
    expect(container?.args).toEqual(['runner', 'run'])
    expect(container?.ports?.[0]?.containerPort).toBe(settings.listen?.port)
    expect(settings.listen?.host).toBe('0.0.0.0')
  })

  test('are two of one token, which differ only in how they keep their data and how they stop', () => {
    for (const { spec } of [stateful, deployed]) expect(spec?.replicas).toBe(2)
    const containers = [stateful, deployed].flatMap(containersIn)
    const [first, second] = containers.map(({ lifecycle, ...others }) => ({ lifecycle, others }))
    expect(second?.others).toEqual(first?.others)
    expect([first?.lifecycle, second?.lifecycle]).toEqual([
      undefined,
      { preStop: { exec: { command: ['switchyard', 'runner', 'drain'] } } },
    ])
    expect(stateful.spec?.volumeClaimTemplates).toMatchObject([{ metadata: { name: 'data' } }])
    expect(podIn(deployed).volumes).toContainEqual({ name: 'data', emptyDir: {} })
  })
})

describe('the coordinator', () => {
  const manifest = find('coordinator.yaml', 'Deployment')
  const environment = {
    ...find('coordinator.yaml', 'Secret').stringData,
    ...find('coordinator.yaml', 'ConfigMap').data,
  }

  test('has variables that it reads, which fit the database and the store beside it', () => {
    const names = new Set<string>()
    const recording = new Proxy(environment, {
      get: (target, name) => {
        names.add(String(name))
        return target[String(name)]
      },
    })
    const [container] = podIn(manifest).containers
    const [command, flag, listen = ''] = container?.args ?? []
    expect([command, flag]).toEqual(['coordinator', '--listen'])
    const settings = readCoordinatorSettings({ listen }, recording)
    readCoordinatorSecrets(recording)
    expect(Object.keys(environment).filter((name) => !names.has(name))).toEqual([])
    const store = find('coordinator-store.yaml', 'Secret').stringData ?? {}
    const user = store['POSTGRES_USER']
    expect(settings.database).toEqual({
      dialect: 'postgres',
      url: `postgres://${user}:${store['POSTGRES_PASSWORD']}@postgres/${user}`,
    })
    expect(settings.storage).toMatchObject({
      location: {
        bucket: {
          serverAddress: 's3:9000',
          bucketName: 'switchyard',
          credentials: {
            accessKeyId: store['MINIO_ROOT_USER'],
            secretAccessKey: store['MINIO_ROOT_PASSWORD'],
          },
        },
      },
    })
    const [mount, ...others] = container?.volumeMounts ?? []
    expect(others).toEqual([])
    for (const folder of [settings.dataDir, settings.sharedDir])
      expect(dirname(folder)).toBe(mount?.mountPath)
    expect(container?.ports?.[0]?.containerPort).toBe(settings.listen.port)
  })

  test('runs once as long as its volume belongs to one node', () => {
    expect(manifest.spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } })
  })

  test('is probed at addresses that it has', () => {
    const routes = readFileSync('src/coordinator/http/health.ts', 'utf8')
    const [container] = podIn(manifest).containers
    for (const probe of [container?.livenessProbe, container?.readinessProbe, container?.startupProbe]) {
      expect(routes).toContain(`'${probe?.httpGet?.path}'`)
    }
    expect(container?.readinessProbe?.httpGet?.path).toBe('/-/readiness')
  })

  test('has the database and the store of the compose file', () => {
    const { services } = parse(readFileSync('config/compose.yaml', 'utf8'), { merge: true }) as {
      services: Record<string, { image: string }>
    }
    const images = read('coordinator-store.yaml').flatMap((each) =>
      containersIn(each).map(({ image }) => image),
    )
    expect(images).toEqual(['postgres', 's3', 'bucket'].map((name) => services[name]?.image))
  })
})

test.each(FILES)(
  '%s: images have the version of the program, services find their pods, and accounts have no tokens without need',
  (file) => {
    const manifests = read(file)
    for (const manifest of manifests) {
      for (const { image } of containersIn(manifest)) {
        if (image?.includes('switchyard')) expect(image).toBe(IMAGE)
      }
      const template = manifest.spec?.template
      if (template)
        expect(template.spec.serviceAccountName ?? template.spec.automountServiceAccountToken).toSatisfy(
          (value) => value === false || value === 'switchyard-runner',
        )
      if (manifest.kind !== 'Service') continue
      const labels = manifests.map(({ spec }) => spec?.template?.metadata?.labels)
      expect(labels).toContainEqual(manifest.spec?.selector)
    }
  },
)

function read(file: string): Manifest[] {
  return parseAllDocuments(readFileSync(join(FOLDER, file), 'utf8')).map((document) => {
    expect(document.errors).toEqual([])
    return document.toJS() as Manifest
  })
}

function find(file: string, kind: string): Manifest {
  const found = read(file).find((manifest) => manifest.kind === kind)
  if (!found) throw new Error(`${file} has no ${kind}`)
  return found
}

function podIn({ spec, metadata }: Manifest): V1PodSpec {
  if (!spec?.template) throw new Error(`${metadata.name} has no pod`)
  return spec.template.spec
}

function containersIn(manifest: Manifest): Container[] {
  return manifest.spec?.template?.spec.containers ?? []
}

function readRunnerConfig() {
  const text = find('runner-config.yaml', 'ConfigMap').data?.['config.toml'] ?? ''
  const { settings, warnings } = readSettings(
    parseToml(text),
    'config.toml',
    find('runner-config.yaml', 'Secret').stringData ?? {},
  )
  expect(warnings).toEqual([])
  return { settings }
}

function configuredRunner(): RunnerRegistration {
  const [registration] = readRunnerConfig().settings.runners
  if (!registration) throw new Error('The settings have no runner')
  return registration
}

/** The flags that the image passes to the coordinator. */
