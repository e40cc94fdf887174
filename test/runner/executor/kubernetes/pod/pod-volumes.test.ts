import { describe, expect, test } from 'vitest'

import type { ConfiguredVolume } from '../../../../../src/runner/executor/kubernetes/pod-settings.js'
import { areBuildsKept } from '../../../../../src/runner/executor/kubernetes/pod/pod-volumes.js'
import { containerOf, planned } from './planned-pod.js'

const claim = (name: string, mountPath: string, more: object = {}): ConfiguredVolume => ({
  volume: { name, persistentVolumeClaim: { claimName: name } },
  mount: { name, mountPath, ...more },
})

const SERVICES = [
  {
    name: 'redis',
    aliases: [],
    entrypoint: undefined,
    command: undefined,
    environment: {},
    pullPolicy: undefined,
    user: undefined,
    platform: undefined,
    isConfigured: false,
  },
]

describe('volumes of a pod', () => {
  test('keep the project directories if the settings mount a claim there', () => {
    const kept = (volumes: ConfiguredVolume[]) =>
      areBuildsKept(planned({ settings: { volumes } }).pod, { builds: '/builds' })
    expect(kept([])).toBe(false)
    expect(kept([claim('cache', '/cache')])).toBe(false)
    expect(kept([claim('builds', '/builds')])).toBe(true)
    const emptyDir = { volume: { name: 'fast', emptyDir: {} }, mount: { name: 'fast', mountPath: '/builds' } }
    expect(kept([emptyDir])).toBe(false)
  })

  test('let the job write where its files are, and only read the directory of git', () => {
    const plan = planned({ job: { services: SERVICES } })
    expect(containerOf(plan, 'build').volumeMounts).toEqual([
      { name: 'repo', mountPath: '/builds' },
      { name: 'switchyard-control', mountPath: '/switchyard/control' },
      { name: 'switchyard-git', mountPath: '/switchyard/git', readOnly: true },
    ])
    expect(containerOf(plan, 'helper').volumeMounts).toEqual([
      { name: 'repo', mountPath: '/builds' },
      { name: 'switchyard-control', mountPath: '/switchyard/control' },
      { name: 'switchyard-git', mountPath: '/switchyard/git' },
      { name: 'switchyard-own', mountPath: '/switchyard/own' },
    ])
    expect(containerOf(plan, 'svc-0').volumeMounts).toEqual([{ name: 'repo', mountPath: '/builds' }])
  })

  test('of the settings are in every container, with variables of the job in their paths and claims', () => {
    const plan = planned({
      settings: {
        volumes: [
          claim('cache-$TEAM', '/cache/$TEAM/', { subPath: '$TEAM' }),
          claim('cache-$TEAM', '/second'),
          {
            volume: { name: 'My.Config', configMap: { name: 'My.Config' } },
            mount: { name: 'My.Config', mountPath: '/c' },
          },
        ],
      },
      variables: { TEAM: 'web' },
      job: { services: SERVICES },
    })
    expect(plan.pod.spec?.volumes?.slice(4)).toEqual([
      { name: 'cache-web', persistentVolumeClaim: { claimName: 'cache-web' } },
      { name: 'my-config', configMap: { name: 'My.Config' } },
    ])
    for (const container of ['build', 'helper', 'svc-0']) {
      expect(containerOf(plan, container).volumeMounts).toMatchObject([
        { name: 'cache-web', mountPath: '/cache/web', subPath: 'web' },
        { name: 'cache-web', mountPath: '/second' },
        { name: 'my-config', mountPath: '/c' },
        { name: 'repo' },
        ...(container === 'svc-0' ? [] : [{ name: 'switchyard-control' }]),
        ...(container === 'build' ? [{ name: 'switchyard-git' }] : []),
        ...(container === 'helper' ? [{ name: 'switchyard-git' }, { name: 'switchyard-own' }] : []),
      ])
    }
  })

  test('at the builds directory replace the empty one', () => {
    const plan = planned({ settings: { volumes: [claim('work', '/builds/')] } })
    expect(plan.pod.spec?.volumes?.map(({ name }) => name)).not.toContain('repo')
    expect(containerOf(plan, 'build').volumeMounts?.[0]).toMatchObject({ name: 'work', mountPath: '/builds' })
  })

  test.each([
    [claim('a', '/switchyard/git'), 'would hide /switchyard/git, a directory of the runner'],
    [claim('a', '/switchyard/git/below'), 'would hide /switchyard/git'],
    [claim('a', '/switchyard'), 'would hide /switchyard/control'],
    [claim('a', '/cache/../switchyard'), 'would hide /switchyard/control'],
    [claim('a', '/$ESCAPE'), 'would hide /switchyard/own'],
    [claim('a', '$UNSET'), 'which is not an absolute path'],
    [claim('a', '/a:b'), 'which is not an absolute path'],
    [claim('repo', '/cache'), 'a volume with the name "repo", which is that of a volume of the runner'],
  ])('%j fails the job', (volume, message) => {
    const variables = { ESCAPE: '../switchyard/own' }
    expect(() => planned({ settings: { volumes: [volume] }, variables })).toThrow(message)
  })
})
