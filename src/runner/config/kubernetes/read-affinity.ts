import type {
  V1Affinity,
  V1LabelSelector,
  V1NodeSelectorTerm,
  V1PodAffinity,
  V1PodAffinityTerm,
} from '@kubernetes/client-node'

import type { TableReader } from '../table-reader.js'

const REQUIRED = 'required_during_scheduling_ignored_during_execution'
const PREFERRED = 'preferred_during_scheduling_ignored_during_execution'

const NODE_OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'] as const
const LABEL_OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'] as const

/** Reads `[runners.kubernetes.affinity]`, whose keys are those of the API with underscores. */
export function readAffinity(entry: TableReader): V1Affinity | undefined {
  const reader = entry.subTable('affinity')
  const affinity: V1Affinity = {
    nodeAffinity: readNodeAffinity(reader),
    podAffinity: readPodAffinity(reader, 'pod_affinity'),
    podAntiAffinity: readPodAffinity(reader, 'pod_anti_affinity'),
  }
  reader.reportUnknown()
  return Object.values(affinity).some((part) => part !== undefined) ? affinity : undefined
}

function readNodeAffinity(entry: TableReader): V1Affinity['nodeAffinity'] {
  const reader = entry.subTable('node_affinity')
  if (reader.isEmpty) return undefined
  const required = reader.subTable(REQUIRED)
  const terms = required.subTables('node_selector_terms').map(readNodeTerm)
  required.reportUnknown()
  const preferred = reader.subTables(PREFERRED).map((item) => {
    const term = { weight: readWeight(item), preference: readNodeTerm(item.subTable('preference')) }
    item.reportUnknown()
    return term
  })
  reader.reportUnknown()
  return {
    requiredDuringSchedulingIgnoredDuringExecution:
      terms.length > 0 ? { nodeSelectorTerms: terms } : undefined,
    preferredDuringSchedulingIgnoredDuringExecution: preferred.length > 0 ? preferred : undefined,
  }
}

function readNodeTerm(reader: TableReader): V1NodeSelectorTerm {
  const term = {
    matchExpressions: readRequirements(reader, 'match_expressions', NODE_OPERATORS),
    matchFields: readRequirements(reader, 'match_fields', NODE_OPERATORS),
  }
  reader.reportUnknown()
  return term
}

function readPodAffinity(entry: TableReader, key: string): V1PodAffinity | undefined {
  const reader = entry.subTable(key)
  if (reader.isEmpty) return undefined
  const required = reader.subTables(REQUIRED).map(readPodTerm)
  const preferred = reader.subTables(PREFERRED).map((item) => {
    const term = {
      weight: readWeight(item),
      podAffinityTerm: readPodTerm(item.subTable('pod_affinity_term')),
    }
    item.reportUnknown()
    return term
  })
  reader.reportUnknown()
  return {
    requiredDuringSchedulingIgnoredDuringExecution: required.length > 0 ? required : undefined,
    preferredDuringSchedulingIgnoredDuringExecution: preferred.length > 0 ? preferred : undefined,
  }
}

function readPodTerm(reader: TableReader): V1PodAffinityTerm {
  const term: V1PodAffinityTerm = {
    labelSelector: readLabelSelector(reader, 'label_selector'),
    namespaces: reader.strings('namespaces'),
    topologyKey: reader.requiredString('topology_key'),
    namespaceSelector: readLabelSelector(reader, 'namespace_selector'),
    matchLabelKeys: reader.strings('match_label_keys'),
    mismatchLabelKeys: reader.strings('mismatch_label_keys'),
  }
  reader.reportUnknown()
  return term
}

/** An empty selector matches everything, and an absent one nothing. */
function readLabelSelector(entry: TableReader, key: string): V1LabelSelector | undefined {
  if (!entry.has(key)) return undefined
  const reader = entry.subTable(key)
  const selector = {
    matchLabels: reader.stringMap('match_labels'),
    matchExpressions: readRequirements(reader, 'match_expressions', LABEL_OPERATORS),
  }
  reader.reportUnknown()
  return selector
}

interface Requirement {
  key: string
  operator: string
  values: string[] | undefined
}

function readRequirements(
  entry: TableReader,
  key: string,
  operators: readonly string[],
): Requirement[] | undefined {
  const requirements = entry.subTables(key).map((reader) => {
    const operator = reader.choice('operator', operators)
    if (!reader.has('operator')) reader.problem('operator', `is missing: one of ${operators.join(', ')}`)
    const requirement = {
      key: reader.requiredString('key'),
      operator: operator ?? '',
      values: reader.strings('values'),
    }
    reader.reportUnknown()
    return requirement
  })
  return requirements.length > 0 ? requirements : undefined
}

/** Of a preference among the others. */
function readWeight(reader: TableReader): number {
  const weight = reader.integer('weight', 1)
  if (!reader.has('weight')) reader.problem('weight', 'is missing: a number from 1 to 100')
  if (weight !== undefined && weight > 100) reader.problem('weight', 'must be at most 100')
  return weight ?? 1
}
