import { RecentTexts } from '../../lib/recent-texts.js'
import { invalid } from '../errors.js'
import { limits } from '../limits.js'
import { type ConfigMap, type ConfigValue, isMap } from './config-value.js'
import { valueOf } from './node-values.js'
import { readDocument } from './read-document.js'
import { splitDocuments } from './split-documents.js'

/** A file in two parts. */
export interface LoadedConfig {
  /** The document in front that holds `spec`, when there is one (CI language, 5.1). */
  header?: ConfigMap
  content: ConfigMap
}

/**
 * Reads the text of one CI file; `file` is what problems call it. Throws `ConfigError`. Most pipelines come from texts that
 * others came from, and parsing is what takes the longest: the last ones are kept, as nothing changes what was read.
 */
export function loadConfig(text: string, file: string): LoadedConfig {
  return recent.get(text, file)
}

const recent = new RecentTexts({ ofOne: limits.keptFile, ofAll: limits.keptFiles }, readConfigText)

function readConfigText(text: string, file: string): LoadedConfig {
  if (text.trim() === '') throw invalid('Please provide content of .gitlab-ci.yml')
  if (Buffer.byteLength(text) > limits.yamlBytes) throw invalid('The provided YAML is too big')
  const [first, second] = readDocuments(text, file)
  if (second !== undefined && isMap(first) && first.has('spec')) {
    return { header: first, content: rootOf(second) }
  }
  return { content: rootOf(first) }
}

/** The values of the documents that hold one; a document of comments alone holds none. */
function readDocuments(text: string, file: string): ConfigValue[] {
  const values: ConfigValue[] = []
  // Lines end in the same places, whatever they end with.
  for (const document of splitDocuments(text.replaceAll('\r\n', '\n'))) {
    if (values.length === limits.yamlDocuments) throw invalid('The YAML has more than two documents')
    const { root, source } = readDocument(document, file)
    if (root) values.push(valueOf(root, source))
  }
  return values
}

function rootOf(value: ConfigValue | undefined): ConfigMap {
  if (!isMap(value)) throw invalid('Invalid configuration format')
  return value
}
