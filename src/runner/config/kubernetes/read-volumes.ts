import type { Volume, VolumeMount } from '../../executor/kubernetes/api-types.js'
import type { ConfiguredVolume } from '../../executor/kubernetes/pod-settings.js'
import { parseQuantity } from '../../executor/kubernetes/quantity.js'
import type { TableReader } from '../table-reader.js'

const PROPAGATIONS = ['None', 'HostToContainer', 'Bidirectional'] as const

/** Reads the lists of `[runners.kubernetes.volumes]`. */
export function readVolumes(entry: TableReader): ConfiguredVolume[] {
  const reader = entry.subTable('volumes')
  const volumes = Object.entries(SOURCES).flatMap(([kind, readSource]) =>
    reader.subTables(kind).map((table) => readVolume(table, readSource)),
  )
  reader.reportUnknown()
  refuseOneNameForTwo(entry, volumes)
  return volumes
}

type ReadSource = (reader: TableReader, name: string) => Omit<Volume, 'name'>

/** How the volumes of each list are read. */
const SOURCES: Record<string, ReadSource> = {
  // The reference runner also takes the path in the container for that of the node.
  host_path: (reader) => ({
    hostPath: { path: reader.string('host_path') || (reader.string('mount_path') ?? '') },
  }),
  pvc: (_, name) => ({ persistentVolumeClaim: { claimName: name } }),
  config_map: (reader, name) => ({ configMap: { name, items: readItems(reader) } }),
  secret: (reader, name) => ({ secret: { secretName: name, items: readItems(reader) } }),
  empty_dir: readEmptyDir,
  csi: readCsi,
  nfs: (reader) => ({
    nfs: {
      server: reader.requiredString('server'),
      path: reader.requiredString('path'),
      readOnly: reader.boolean('read_only'),
    },
  }),
}

function readVolume(reader: TableReader, readSource: ReadSource): ConfiguredVolume {
  const name = reader.requiredString('name')
  const volume = { name, ...readSource(reader, name) }
  const mount = readMount(reader, name)
  reader.reportUnknown()
  return { volume, mount }
}

function readMount(reader: TableReader, name: string): VolumeMount {
  const mountPath = reader.requiredString('mount_path')
  if (mountPath !== '' && !/^[/$]/.test(mountPath)) {
    reader.problem('mount_path', `must be an absolute path in the containers, not "${mountPath}"`)
  }
  return {
    name,
    mountPath,
    subPath: reader.string('sub_path') || undefined,
    readOnly: reader.boolean('read_only') || undefined,
    mountPropagation: reader.choiceOrEmpty('mount_propagation', PROPAGATIONS),
  }
}

function readItems(reader: TableReader): { key: string; path: string }[] | undefined {
  const items = Object.entries(reader.stringMap('items') ?? {}).map(([key, path]) => ({ key, path }))
  return items.length > 0 ? items : undefined
}

function readEmptyDir(reader: TableReader): Omit<Volume, 'name'> {
  return {
    emptyDir: {
      medium: reader.choiceOrEmpty('medium', ['Memory']),
      sizeLimit: reader.parsed('size_limit', 'a size such as 2Gi', (text) =>
        parseQuantity(text) === undefined ? undefined : text,
      ),
    },
  }
}

function readCsi(reader: TableReader): Omit<Volume, 'name'> {
  return {
    csi: {
      driver: reader.requiredString('driver'),
      fsType: reader.string('fs_type') || undefined,
      readOnly: reader.boolean('read_only'),
      volumeAttributes: reader.stringMap('volume_attributes'),
    },
  }
}

/** A volume may be mounted at several paths, but then all its tables must describe the same one. */
function refuseOneNameForTwo(entry: TableReader, volumes: readonly ConfiguredVolume[]): void {
  const seen = new Map<string, string>()
  for (const { volume } of volumes) {
    const text = JSON.stringify(volume)
    if ((seen.get(volume.name) ?? text) !== text) {
      entry.problem('volumes', `has two different volumes with the name "${volume.name}": rename one of them`)
    }
    seen.set(volume.name, text)
  }
}
