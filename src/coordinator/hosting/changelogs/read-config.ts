import { ConfigError } from '../../../ci-config/errors.js'
import { dataOf } from '../../../ci-config/yaml/config-data.js'
import { loadConfig } from '../../../ci-config/yaml/load-config.js'
import { ChangelogError } from './errors.js'
import { DEFAULT_TAG_REGEX } from './previous-tag.js'
import { DEFAULT_TEMPLATE } from './template/default-template.js'
import { parseTemplate, type TemplateNode } from './template/parse-template.js'

/** Settings of the changelogs of a project (API, E7). */
export interface ChangelogConfig {
  /** In the format of `strftime`. */
  dateFormat: string
  template: readonly TemplateNode[]
  /** Titles of categories by the value of the trailer, in the order of the changelog. */
  categories: ReadonlyMap<string, string>
  tagRegex: string
  /** Full paths of groups whose members are named as authors. */
  includeGroups: readonly string[]
}

/** Bytes of the file: parsing is limited by its size, where the reference limits the time. */
export const MAX_CONFIG_BYTES = 128 * 1024

const MAX_GROUPS = 100
const MAX_REGEX = 4096

/** Reads the file of a project; undefined for a project without one. Throws `ChangelogError` for what is not valid. */
export function readConfig(text: string | undefined): ChangelogConfig {
  const given = text === undefined || text.trim() === '' ? {} : parsed(text)
  return {
    dateFormat: readText(given, 'date_format') ?? '%Y-%m-%d',
    template: parseTemplate(readText(given, 'template') ?? DEFAULT_TEMPLATE),
    categories: categoriesOf(given['categories']),
    tagRegex: regexOf(given),
    includeGroups: groupsOf(given['include_groups']),
  }
}

function parsed(text: string): Record<string, unknown> {
  try {
    const { content } = loadConfig(text, 'changelog_config.yml')
    return Object.fromEntries([...content].map(([key, value]) => [key, dataOf(value)]))
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new ChangelogError(`The configuration is not valid: ${error.message}`, { cause: error })
  }
}

function readText(given: Record<string, unknown>, key: string): string | undefined {
  const value = given[key]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw new ChangelogError(`"${key}" of the configuration must be text`)
  return value
}

function regexOf(given: Record<string, unknown>): string {
  const regex = readText(given, 'tag_regex') ?? DEFAULT_TAG_REGEX
  if (regex.length > MAX_REGEX) throw new ChangelogError('"tag_regex" of the configuration is too long')
  return regex
}

function categoriesOf(value: unknown): Map<string, string> {
  if (value === undefined || value === null) return new Map()
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new ChangelogError('"categories" of the configuration must map values of the trailer to titles')
  }
  return new Map(Object.entries(value).map(([name, title]) => [name, String(title)]))
}

function groupsOf(value: unknown): string[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) {
    throw new ChangelogError('"include_groups" of the configuration must be a list of full paths')
  }
  return value.slice(0, MAX_GROUPS).map(String)
}
