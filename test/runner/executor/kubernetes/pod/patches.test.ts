import { describe, expect, test } from 'vitest'

import type { PatchType, PodSpecPatch } from '../../../../../src/runner/executor/kubernetes/pod-settings.js'
import { applyJsonPatch } from '../../../../../src/runner/executor/kubernetes/pod/patch/json-patch.js'
import { patchProblem } from '../../../../../src/runner/executor/kubernetes/pod/patch/patch-problem.js'
import {
  mergePatch,
  strategicMergePatch,
} from '../../../../../src/runner/executor/kubernetes/pod/patch/strategic-merge.js'
import { containerOf, planned } from './planned-pod.js'

const patch = (type: PatchType, value: unknown, name = 'mine'): PodSpecPatch => ({ name, type, patch: value })

describe('patches of the settings', () => {
  test('change the planned pod in order, so that the last one wins', () => {
    const plan = planned({
      settings: {
        podSpec: [
          patch('strategic', {
            hostname: 'one',
            containers: [
              { name: 'build', env: [{ name: 'A', value: '1' }] },
              { name: 'extra', image: 'busybox' },
            ],
          }),
          patch('merge', { hostname: 'two', subdomain: 'ci' }),
          patch('json', [{ op: 'replace', path: '/hostname', value: 'three' }]),
        ],
      },
    })
    expect(plan.pod.spec).toMatchObject({ hostname: 'three', subdomain: 'ci', restartPolicy: 'Never' })
    expect(containerOf(plan, 'build')).toMatchObject({
      image: 'alpine:3.20',
      env: [{ name: 'A', value: '1' }],
    })
    expect(plan.pod.spec?.containers.map(({ name }) => name)).toEqual(['build', 'helper', 'extra'])
  })

  test.each([
    [
      patch('json', [{ op: 'remove', path: '/nothing' }]),
      'The patch "mine" in "pod_spec" of the runner\'s settings cannot be applied: remove /nothing: there is no "nothing"',
    ],
    [
      patch('strategic', { containers: [{ name: 'helper', $patch: 'delete' }] }, ''),
      'The patch number 1 in "pod_spec" of the runner\'s settings removes the container "helper", without which no job runs',
    ],
    [patch('merge', { containers: null }), 'removes the container "build"'],
    [patch('json', [{ op: 'replace', path: '', value: 7 }]), 'removes the container "build"'],
  ])('%j fails the job, and names the patch', (wrong, message) => {
    expect(() => planned({ settings: { podSpec: [wrong] } })).toThrow(
      expect.objectContaining({
        message: expect.stringContaining(message) as unknown,
        reason: 'runner_configuration_error',
      }),
    )
  })
})

describe('a JSON patch', () => {
  test.each([
    [{ a: 1 }, [{ op: 'add', path: '/b', value: [1] }], { a: 1, b: [1] }],
    [{ a: [1, 3] }, [{ op: 'add', path: '/a/1', value: 2 }], { a: [1, 2, 3] }],
    [{ a: [1] }, [{ op: 'add', path: '/a/-', value: 2 }], { a: [1, 2] }],
    [
      { 'a/b': 1, 'm~n': 2 },
      [
        { op: 'remove', path: '/a~1b' },
        { op: 'replace', path: '/m~0n', value: 3 },
      ],
      { 'm~n': 3 },
    ],
    [{ a: { b: 1 } }, [{ op: 'move', from: '/a/b', path: '/c' }], { a: {}, c: 1 }],
    [
      { a: [1, 2] },
      [
        { op: 'copy', from: '/a', path: '/b' },
        { op: 'remove', path: '/a/0' },
      ],
      { a: [2], b: [1, 2] },
    ],
    [{ a: 1 }, [{ op: 'test', path: '/a', value: 1 }], { a: 1 }],
    [{ a: 1 }, [{ op: 'add', path: '', value: [] }], []],
  ])('changes %j by %j', (value, operations, expected) => {
    const before = structuredClone(value)
    expect(applyJsonPatch(value, operations)).toEqual(expected)
    expect(value).toEqual(before)
  })

  test.each([
    [{ a: 1 }, { op: 'test', path: '/a', value: 2 }, 'the value there is another one'],
    [{ a: [] }, { op: 'add', path: '/a/1', value: 2 }, '"1" is not a place in a list of 0'],
    [{ a: [1] }, { op: 'remove', path: '/a/-' }, '"-" is not a place in a list of 1'],
    [{ a: [1] }, { op: 'remove', path: '/a/00' }, '"00" is not a place'],
    [{ a: 1 }, { op: 'add', path: '/a/b', value: 2 }, '"b" cannot be put into a plain value'],
    [{ a: {} }, { op: 'move', from: '/a', path: '/a/b' }, 'cannot be moved into itself'],
    [{}, { op: 'remove', path: '/constructor' }, 'there is no "constructor"'],
  ])('fails for %j with %j', (value, operation, message) => {
    expect(() => applyJsonPatch(value, [operation])).toThrow(message)
  })

  test('cannot change the prototype of objects', () => {
    applyJsonPatch({}, [{ op: 'add', path: '/__proto__', value: { polluted: true } }])
    expect(() => applyJsonPatch({}, [{ op: 'add', path: '/__proto__/polluted', value: true }])).toThrow(
      'there is no "__proto__"',
    )
    mergePatch({}, JSON.parse('{"__proto__": {"polluted": true}}'))
    strategicMergePatch({}, JSON.parse('{"__proto__": {"polluted": true}}'))
    expect({}).not.toHaveProperty('polluted')
  })

  test.each([
    [{}, 'must be a list of operations'],
    [[7], 'has a wrong operation 1: it is not an object'],
    [
      [
        { op: 'add', path: '/a', value: 1 },
        { op: 'increment', path: '/a' },
      ],
      'has a wrong operation 2: "op"',
    ],
    [[{ op: 'add', path: 'a', value: 1 }], '"path" must be'],
    [[{ op: 'copy', path: '/a' }], '"from" must be'],
    [[{ op: 'add', path: '/a' }], '"value" is missing'],
  ])('of the form %j is refused', (value, problem) => {
    expect(patchProblem('json', value)).toContain(problem)
  })
})

describe('a strategic merge patch', () => {
  const SPEC = {
    containers: [
      { name: 'build', args: ['a', 'b'], volumeMounts: [{ mountPath: '/a', name: 'a' }] },
      { name: 'helper', image: 'x' },
    ],
    tolerations: [{ key: 'a' }],
    dnsConfig: { searches: ['a'], nameservers: ['b'] },
  }

  test.each([
    [
      'merges items by their keys',
      { containers: [{ name: 'helper', image: 'y' }] },
      { containers: [SPEC.containers[0], { name: 'helper', image: 'y' }] },
    ],
    [
      'merges items of items',
      { containers: [{ name: 'build', args: ['c'], volumeMounts: [{ mountPath: '/b', name: 'b' }] }] },
      {
        containers: [
          {
            name: 'build',
            args: ['c'],
            volumeMounts: [
              { mountPath: '/a', name: 'a' },
              { mountPath: '/b', name: 'b' },
            ],
          },
          SPEC.containers[1],
        ],
      },
    ],
    ['replaces other lists', { tolerations: [{ key: 'b' }] }, { tolerations: [{ key: 'b' }] }],
    ['removes keys that are null', { dnsConfig: { searches: null } }, { dnsConfig: { nameservers: ['b'] } }],
    [
      'removes items',
      { containers: [{ name: 'helper', $patch: 'delete' }] },
      { containers: [SPEC.containers[0]] },
    ],
    ['replaces objects', { dnsConfig: { $patch: 'replace', options: [] } }, { dnsConfig: { options: [] } }],
    [
      'replaces lists',
      { containers: [{ $patch: 'replace' }, { name: 'build' }] },
      { containers: [{ name: 'build' }] },
    ],
    [
      'retains keys',
      { dnsConfig: { $retainKeys: ['searches'], searches: ['c'] } },
      { dnsConfig: { searches: ['c'] } },
    ],
  ])('%s', (_, change, expected) => {
    expect(strategicMergePatch(SPEC, change)).toEqual({ ...SPEC, ...expected })
  })

  test.each([
    [{ containers: [{ image: 'x' }] }, 'an item of "containers" has no "name"'],
    [{ containers: ['build'] }, 'an item of "containers" is not an object'],
    [{ $setElementOrder: [] }, 'the directive "$setElementOrder" is not known'],
    [{ dnsConfig: { $patch: 'merge-all' } }, 'the directive "merge-all" is not known'],
  ])('%j fails', (change, message) => {
    expect(() => strategicMergePatch(SPEC, change)).toThrow(message)
  })
})
