import type { IntegrationKind } from '../../../../coordinator/integrations/services/schema.js'
import { HOOK_EVENTS } from '../../../records/hook-events.js'
import type { SettingField } from '../../../records/settings-fields.js'

/** Words of names of properties that are not written as they are. */
const WORDS: Readonly<Record<string, string>> = {
  api: 'API',
  json: 'JSON',
  iap: 'IAP',
  id: 'ID',
  irc: 'IRC',
  jira: 'Jira',
  ssl: 'TLS',
  uri: 'URI',
  url: 'URL',
}

/** Names of properties that are clearer in other words. */
const LABELS: Readonly<Record<string, string>> = {
  branches_to_be_notified: 'Branches',
  notify_only_broken_pipelines: 'Only failed and fixed pipelines',
  notify_only_default_branch: 'Only the default branch',
  enable_ssl_verification: 'Verify TLS certificates',
  restrict_to_branch: 'Only these branches',
  new_issue_url: 'URL of a new issue',
  issues_url: 'URL of an issue',
  project_url: 'URL of the project',
  webhook: 'Webhook URL',
  disable_diffs: 'Without diffs',
  send_from_committer_email: 'Replies go to the pusher',
  add_pusher: 'Also to the user of the pipeline',
  static_context: 'One status for all branches',
  username: 'User name',
}

const HELPS: Readonly<Record<string, string>> = {
  recipients: 'With spaces or commas between them.',
  restrict_to_branch: 'With commas between them; without one, all branches.',
  issues_url: 'With :id in place of the number of the issue.',
  jira_issue_transition_id: 'Numbers of the transitions that close an issue.',
}

const BRANCHES = [
  { value: '', label: 'As the service does by default' },
  { value: 'all', label: 'All branches' },
  { value: 'default', label: 'Default branch' },
  { value: 'protected', label: 'Protected branches' },
  { value: 'default_and_protected', label: 'Default and protected branches' },
]

/** Texts of more than a few words. */
const LONG: ReadonlySet<string> = new Set(['recipients', 'restrict_to_branch', 'description'])

const KINDS = { text: 'text', url: 'text', secret: 'password', flag: 'check', integer: 'number' } as const

/** `bamboo_url` as "Bamboo URL". */
export function labelOf(name: string): string {
  const label = LABELS[name]
  if (label !== undefined) return label
  const words = name.split('_').map((word) => WORDS[word] ?? word)
  const text = words.join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/**
 * The fields of the form of an integration.
 * @param isSaved secrets of an integration that was saved may stay as they are
 */
export function propertyFields({ properties }: IntegrationKind, isSaved: boolean): SettingField[] {
  return properties.map(({ name, kind, required }) => {
    const help = HELPS[name]
    const shared = { name, label: labelOf(name), ...(help !== undefined && { help }) }
    if (kind === 'branches') {
      return { ...shared, kind: 'select' as const, isNullable: true, choices: BRANCHES }
    }
    const isSecret = kind === 'secret'
    return {
      ...shared,
      kind: KINDS[kind],
      isNullable: !required && !isSecret,
      isRequired: required && !(isSecret && isSaved),
      ...(kind === 'text' && !LONG.has(name) && { isShort: true }),
      ...(isSecret && isSaved && { placeholder: 'unchanged' }),
      ...(kind === 'url' && { placeholder: 'https://example.com' }),
    }
  })
}

/** Flags of the events that an integration can get. */
export function eventFields({ events }: IntegrationKind): SettingField[] {
  return events.map((name) => ({
    name,
    label: HOOK_EVENTS.find(({ event }) => event === name)?.label ?? labelOf(name),
    kind: 'check',
  }))
}
