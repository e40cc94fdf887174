import { isIP } from 'node:net'

import type { V1HostAlias, V1PodDNSConfig } from '@kubernetes/client-node'

import { isHostName } from '../../executor/kubernetes/host-name.js'
import type { PodNetworkSettings } from '../../executor/kubernetes/pod-settings.js'
import type { TableReader } from '../table-reader.js'

/** The policies by their names in the file. */
const DNS_POLICIES = {
  none: 'None',
  default: 'Default',
  'cluster-first': 'ClusterFirst',
  'cluster-first-with-host-net': 'ClusterFirstWithHostNet',
} as const

const NAMES = ['none', 'default', 'cluster-first', 'cluster-first-with-host-net'] as const

/** Reads how the containers of a pod find other machines. */
export function readPodNetwork(reader: TableReader): PodNetworkSettings {
  const policy = reader.choiceOrEmpty('dns_policy', NAMES)
  const dnsConfig = readDnsConfig(reader)
  if (policy === 'none' && !dnsConfig?.nameservers?.length) {
    reader.problem('dns_policy', 'is "none", which needs nameservers in dns_config')
  }
  return {
    dnsPolicy: policy && DNS_POLICIES[policy],
    dnsConfig,
    hostAliases: readHostAliases(reader),
  }
}

function readDnsConfig(entry: TableReader): V1PodDNSConfig | undefined {
  const reader = entry.subTable('dns_config')
  if (reader.isEmpty) return undefined
  const options = reader.subTables('options').map((option) => {
    const pair = { name: option.requiredString('name'), value: option.string('value') }
    option.reportUnknown()
    return pair
  })
  const config = {
    nameservers: reader.parsedList('nameservers', 'IP addresses', addressOf),
    searches: reader.strings('searches'),
    options: options.length > 0 ? options : undefined,
  }
  reader.reportUnknown()
  return config
}

function readHostAliases(entry: TableReader): V1HostAlias[] {
  return entry.subTables('host_aliases').map((reader) => {
    const ip = reader.parsed('ip', 'an IP address', addressOf)
    if (!reader.has('ip')) reader.problem('ip', 'is missing')
    const hostnames = reader.parsedList('hostnames', 'host names such as db.example.com', (text) =>
      isHostName(text) ? text : undefined,
    )
    reader.reportUnknown()
    return { ip: ip ?? '', hostnames: hostnames ?? [] }
  })
}

function addressOf(text: string): string | undefined {
  return isIP(text) === 0 ? undefined : text
}
