import { parseByteSize } from '../executor/docker/byte-size.js'
import { parseDevice, parseGpus } from '../executor/docker/containers/device-settings.js'
import { readSecurityOption } from '../executor/docker/containers/security-options.js'
import type { ConfiguredService, ServiceSettings } from '../executor/docker/services/settings.js'
import { readEnvironment } from './read-environment.js'
import type { TableReader } from './table-reader.js'
import * as unsupported from './unsupported-keys.js'

/** Reads the keys of `[runners.docker]` for services and the network of a build (runner protocol, 9.4). */
export function readServiceSettings(reader: TableReader): ServiceSettings {
  return {
    services: readServices(reader),
    servicesLimit: reader.integer('services_limit', -1),
    waitForServicesSeconds: reader.integer('wait_for_services_timeout', -Infinity),
    allowedServices: reader.strings('allowed_services'),
    servicesPrivileged: reader.boolean('services_privileged'),
    allowedPrivilegedServices: reader.strings('allowed_privileged_services'),
    servicesSecurityOpt: readSecurity(reader),
    servicesTmpfs: reader.stringMap('services_tmpfs'),
    servicesDevices: readDevices(reader),
    serviceGpus: reader.parsed('service_gpus', 'such as "all" or "device=0"', parseGpus),
    ...readLimits(reader),
    networkMtu: reader.integer('network_mtu', 0) || undefined,
    enableIpv6: reader.boolean('enable_ipv6'),
  }
}

function readLimits(reader: TableReader): ServiceSettings {
  return {
    serviceMemory: readBytes(reader, 'service_memory'),
    serviceMemorySwap: readBytes(reader, 'service_memory_swap'),
    serviceMemoryReservation: readBytes(reader, 'service_memory_reservation'),
    serviceCpus: reader.parsed('service_cpus', 'a number of processors such as "1.5"', positiveNumber),
    serviceCpusetCpus: reader.string('service_cpuset_cpus') || undefined,
    serviceCpuShares: reader.integer('service_cpu_shares', 0) || undefined,
    serviceCgroupParent: reader.string('service_cgroup_parent') || undefined,
  }
}

/** Reads the tables under `services` of an executor. */
export function readServices(reader: TableReader): ConfiguredService[] {
  return reader.subTables('services').map(readService)
}

function readService(reader: TableReader): ConfiguredService {
  const service = {
    name: reader.requiredString('name'),
    alias: reader.string('alias') || undefined,
    command: reader.strings('command'),
    entrypoint: reader.strings('entrypoint'),
    environment: readEnvironment(reader),
  }
  reader.ignore(unsupported.SERVICE)
  reader.reportUnknown()
  return service
}

function readBytes(reader: TableReader, key: string): number | undefined {
  return reader.parsed(key, 'a memory size such as "512m"', (text) => {
    // -1 means unlimited swap, as for the engine.
    return text === '-1' ? -1 : parseByteSize(text)
  })
}

function positiveNumber(text: string): number | undefined {
  const number = Number(text)
  return number >= 0 ? number : undefined
}

function readSecurity(reader: TableReader): string[] | undefined {
  return reader.strings('services_security_opt')?.flatMap((text) => {
    const read = readSecurityOption(text)
    if ('option' in read) return [read.option]
    reader.problem('services_security_opt', read.problem)
    return []
  })
}

function readDevices(reader: TableReader): ServiceSettings['servicesDevices'] {
  const byImages = reader.stringLists('services_devices')
  if (!byImages) return undefined
  return Object.entries(byImages).map(([images, entries]) => ({
    images,
    devices: entries.flatMap((entry) => {
      const device = parseDevice(entry)
      if (!device) reader.problem('services_devices', `must hold devices such as /dev/kvm, not "${entry}"`)
      return device ? [device] : []
    }),
  }))
}
