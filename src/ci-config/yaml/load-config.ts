import { LRUCache } from 'lru-cache'

import { invalid, type Problem } from '../errors.js'
import { limits } from '../limits.js'
import { type ConfigMap, type ConfigValue, isMap } from './config-value.js'
import { valueOf } from './node-values.js'
import { readDocument } from './read-document.js'
import { splitDocuments } from './split-documents.js'

/** A file in two parts. */
export interface LoadedConfig {
  /** The header document with `spec`, if there is one (CI language, 5.1). */
  header?: ConfigMap
  content: ConfigMap
  /** Keys that are written twice. */
  warnings: readonly Problem[]
}

const recent = new LRUCache<string, LoadedConfig, { text: string; file: string }>({
  maxSize: limits.keptFiles,
  maxEntrySize: limits.keptFile,
  sizeCalculation: (_config, key) => key.length,
  memoMethod: (_key, _stale, { context }) => readConfigText(context.text, context.file),
})

/**
 * Parses the text of one CI file. `file` is its name in problems. Throws `ConfigError`. The latest files are
 * cached, because most pipelines use unchanged files, parsing is the most expensive step, and parsed files
 * are immutable.
 */
export function loadConfig(text: string, file: string): LoadedConfig {
  return recent.memo(`${file}\n${text}`, { context: { text, file } })
}

function readConfigText(text: string, file: string): LoadedConfig {
  if (text.trim() === '') throw invalid('Please provide content of .gitlab-ci.yml')
  if (Buffer.byteLength(text) > limits.yamlBytes) throw invalid('The provided YAML is too big')
  const warnings: Problem[] = []
  const [first, second] = readDocuments(text, file, warnings)
  if (second !== undefined && isMap(first) && first.has('spec')) {
    return { header: first, content: rootOf(second), warnings }
  }
  return { content: rootOf(first), warnings }
}

/** The values of the non-empty documents; a document with only comments is empty. */
function readDocuments(text: string, file: string, warnings: Problem[]): ConfigValue[] {
  const values: ConfigValue[] = []
  // Line ends do not affect the positions in the text.
  for (const document of splitDocuments(text.replaceAll('\r\n', '\n'))) {
    if (values.length === limits.yamlDocuments) throw invalid('The YAML has more than two documents')
    const { root, source } = readDocument(document, file)
    if (root) values.push(valueOf(root, source, warnings))
  }
  return values
}

function rootOf(value: ConfigValue | undefined): ConfigMap {
  if (!isMap(value)) throw invalid('Invalid configuration format')
  return value
}
