import type { DockerHost } from '../executor/docker/hosts/host-source.js'
import type { ExecutorName } from './executor-names.js'
import { readEngine } from './read-engine.js'
import type { TableReader } from './table-reader.js'

const MAX_HOSTS = 100
const MAX_CONCURRENT = 1000
const MAX_WEIGHT = 1000
const NAME = /^[\w][\w.:/@-]{0,99}$/

/** Reads `[[runners.docker_hosts]]`, which only the executor `docker-hosts` has. Problems are recorded. */
export function readDockerHosts(entry: TableReader, executor: ExecutorName): DockerHost[] | undefined {
  const readers = entry.subTables('docker_hosts')
  if (executor !== 'docker-hosts') {
    if (readers.length > 0) entry.warning('docker_hosts', `has no effect with the executor "${executor}"`)
    return undefined
  }
  if (readers.length === 0) {
    entry.problem('docker_hosts', 'is missing: the executor "docker-hosts" needs at least one')
  }
  if (readers.length > MAX_HOSTS) {
    entry.problem('docker_hosts', `must have at most ${MAX_HOSTS} hosts, not ${readers.length}`)
  }
  const names = new Set<string>()
  return readers.map((reader) => readHost(reader, names))
}

/** `names`: of the hosts before it. */
function readHost(reader: TableReader, names: Set<string>): DockerHost {
  reader.requiredString('host')
  const engine = readEngine(reader)
  const name =
    reader.parsed('name', 'up to 100 letters, digits and the characters . : / @ _ -', (text) =>
      NAME.test(text) ? text : undefined,
    ) ?? nameOf(engine.host ?? '')
  if (names.has(name)) reader.problem('name', `"${name}" is that of another host: give each its own`)
  names.add(name)
  if (engine.host?.startsWith('tcp://') && !engine.tlsVerify) {
    reader.warning(
      'host',
      'is not protected by TLS (tls_verify): all who can connect to it control that machine',
    )
  }
  const concurrent = boundedInteger(reader, 'concurrent', MAX_CONCURRENT)
  const weight = boundedInteger(reader, 'weight', MAX_WEIGHT)
  reader.reportUnknown()
  return { name, engine, concurrent, weight }
}

function boundedInteger(reader: TableReader, key: string, maximum: number): number {
  const value = reader.integer(key, 1) ?? 1
  if (value > maximum) reader.problem(key, `must be at most ${maximum}`)
  return value
}

/** The machine in the address, without the user. */
function nameOf(address: string): string {
  return address.replace(/^\w+:\/\/(?:[^/]*@)?/, '').replace(/\/+$/, '')
}
