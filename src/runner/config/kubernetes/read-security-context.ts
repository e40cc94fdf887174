import type { V1PodSecurityContext } from '@kubernetes/client-node'

import type { SecurityContext } from '../../executor/kubernetes/api-types.js'
import type { PodSecuritySettings } from '../../executor/kubernetes/pod-settings.js'
import type { TableReader } from '../table-reader.js'

const PROFILE_TYPES = ['RuntimeDefault', 'Localhost', 'Unconfined'] as const

/** Reads what the containers of a pod may do. Capabilities are written with or without `CAP_`. */
export function readPodSecurity(reader: TableReader): PodSecuritySettings {
  return {
    privileged: reader.boolean('privileged'),
    allowPrivilegeEscalation: reader.boolean('allow_privilege_escalation'),
    capAdd: readCapabilities(reader, 'cap_add'),
    capDrop: readCapabilities(reader, 'cap_drop'),
    podSecurityContext: readPodContext(reader),
    buildSecurityContext: readContainerContext(reader, 'build_container_security_context'),
    helperSecurityContext: readContainerContext(reader, 'helper_container_security_context'),
    serviceSecurityContext: readContainerContext(reader, 'service_container_security_context'),
    initPermissionsSecurityContext: readContainerContext(
      reader,
      'init_permissions_container_security_context',
    ),
  }
}

function readPodContext(entry: TableReader): V1PodSecurityContext | undefined {
  const reader = entry.subTable('pod_security_context')
  if (reader.isEmpty) return undefined
  const context: V1PodSecurityContext = {
    fsGroup: reader.integer('fs_group', 0),
    runAsGroup: reader.integer('run_as_group', 0),
    runAsNonRoot: reader.boolean('run_as_non_root'),
    runAsUser: reader.integer('run_as_user', 0),
    supplementalGroups: reader.integers('supplemental_groups', 0),
    ...readProfiles(reader),
  }
  reader.reportUnknown()
  return context
}

function readContainerContext(entry: TableReader, key: string): SecurityContext | undefined {
  const reader = entry.subTable(key)
  if (reader.isEmpty) return undefined
  const context: SecurityContext = {
    capabilities: readCapabilityLists(reader),
    privileged: reader.boolean('privileged'),
    runAsUser: reader.integer('run_as_user', 0),
    runAsGroup: reader.integer('run_as_group', 0),
    runAsNonRoot: reader.boolean('run_as_non_root'),
    readOnlyRootFilesystem: reader.boolean('read_only_root_filesystem'),
    allowPrivilegeEscalation: reader.boolean('allow_privilege_escalation'),
    procMount: readProcMount(reader),
    ...readProfiles(reader),
  }
  reader.reportUnknown()
  return context
}

function readCapabilityLists(entry: TableReader): SecurityContext['capabilities'] {
  const reader = entry.subTable('capabilities')
  const lists = { add: readCapabilities(reader, 'add'), drop: readCapabilities(reader, 'drop') }
  reader.reportUnknown()
  return lists.add || lists.drop ? lists : undefined
}

function readCapabilities(reader: TableReader, key: string): string[] | undefined {
  return reader.parsedList(key, 'capabilities such as SYS_PTRACE, or ALL', (text) =>
    /^[A-Z_]+$/.test(text) ? text.replace(/^CAP_/, '') : undefined,
  )
}

function readProcMount(reader: TableReader): string | undefined {
  return reader.parsed('proc_mount', 'default or unmasked', (text) => {
    const name = text.trim().toLowerCase()
    return name === 'default' ? 'Default' : name === 'unmasked' ? 'Unmasked' : undefined
  })
}

function readProfiles(
  reader: TableReader,
): Pick<SecurityContext, 'seLinuxOptions' | 'seccompProfile' | 'appArmorProfile'> {
  const type = reader.string('selinux_type') || undefined
  return {
    seLinuxOptions: type === undefined ? undefined : { type },
    seccompProfile: readProfile(reader, 'seccomp_profile'),
    appArmorProfile: readProfile(reader, 'app_armor_profile'),
  }
}

function readProfile(entry: TableReader, key: string): SecurityContext['seccompProfile'] {
  const reader = entry.subTable(key)
  const type = reader.choiceOrEmpty('type', PROFILE_TYPES)
  const localhostProfile = reader.string('localhost_profile') || undefined
  if (type === 'Localhost' && localhostProfile === undefined) {
    reader.problem('localhost_profile', 'is missing: the type Localhost needs a profile of the node')
  }
  reader.reportUnknown()
  if (type === undefined) return undefined
  return type === 'Localhost' ? { type, localhostProfile } : { type }
}
