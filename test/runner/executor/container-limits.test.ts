import { describe, expect, test } from 'vitest'

import {
  jobLogConfig,
  pidsLimit,
  SERVICE_LOG_CONFIG,
} from '../../../src/runner/executor/docker/containers/resource-limits.js'
import { capabilities } from '../../../src/runner/executor/docker/containers/security-options.js'
import { withMemoryDefaults } from '../../../src/runner/executor/docker/memory-defaults.js'
import type { DockerExecutorSettings } from '../../../src/runner/executor/docker/settings.js'

const SETTINGS: DockerExecutorSettings = { image: 'alpine', runnerShortToken: 'abc', systemId: 's_1' }
const ALL_LIMITS = { memory: true, swap: true, processes: true, cpus: true, cpuset: true }
const KEY_BYTES = { k: 1024, m: 1024 ** 2 }

interface LogLimits {
  'max-size': string
  'max-file': string
}

function bytesOf(config: LogLimits): number {
  const unit = config['max-size'].at(-1) as keyof typeof KEY_BYTES
  return Number.parseInt(config['max-size'], 10) * KEY_BYTES[unit] * Number(config['max-file'])
}

describe('a container that the settings say nothing about', () => {
  test('may have 4096 processes and threads', () => {
    expect(pidsLimit({})).toBe(4096)
    expect(pidsLimit({ pidsLimit: 100 })).toBe(100)
    expect([pidsLimit({ pidsLimit: 0 }), pidsLimit({ pidsLimit: -1 })]).toEqual([undefined, undefined])
  })

  test('may use nine tenths of the memory of the engine, services too, if the engine can limit it', () => {
    const engine = { memory: 1000, limits: ALL_LIMITS }
    expect(withMemoryDefaults(SETTINGS, engine)).toMatchObject({ memory: 900, serviceMemory: 900 })
    expect(withMemoryDefaults({ ...SETTINGS, memory: 5 }, engine)).toMatchObject({
      memory: 5,
      serviceMemory: 900,
    })
    expect(withMemoryDefaults({ ...SETTINGS, memory: 0 }, engine).memory).toBe(0)
    expect(withMemoryDefaults({ ...SETTINGS, memorySwap: 7 }, engine).memory).toBeUndefined()
    const without = { memory: 1000, limits: { ...ALL_LIMITS, memory: false } }
    expect(withMemoryDefaults(SETTINGS, without).memory).toBeUndefined()
  })

  test('has none of the capabilities that builds do not need', () => {
    expect(capabilities({}, false)).toEqual({ CapDrop: ['AUDIT_WRITE', 'MKNOD', 'NET_RAW'] })
    expect(capabilities({ capAdd: ['CAP_NET_RAW'] }, false).CapDrop).toEqual(['AUDIT_WRITE', 'MKNOD'])
    expect(capabilities({ capDrop: ['CHOWN'] }, false).CapDrop).toEqual([
      'CHOWN',
      'AUDIT_WRITE',
      'MKNOD',
      'NET_RAW',
    ])
    expect(capabilities({ capAdd: ['ALL'] }, false)).toEqual({ CapAdd: ['ALL'] })
    expect(capabilities({ capDrop: ['ALL'], capAdd: ['CHOWN'] }, false)).toEqual({
      CapAdd: ['CHOWN'],
      CapDrop: ['ALL'],
    })
    expect(capabilities({}, true)).toEqual({})
  })

  test.each([4 * 1024 ** 2, 100 * 1024 ** 2])(
    'cannot fill the disk by printing, and loses nothing of an output of %d bytes',
    (limit) => {
      const config = jobLogConfig(limit)
      expect(config.Type).toBe('local')
      const bytes = bytesOf(config.Config as LogLimits)
      // A line of one byte takes about thirty bytes more.
      expect(bytes).toBeGreaterThanOrEqual(limit * 32)
      expect(bytes).toBeLessThanOrEqual(limit * 33)
      expect(bytesOf(SERVICE_LOG_CONFIG.Config)).toBe(32 * 1024 ** 2)
    },
  )
})
