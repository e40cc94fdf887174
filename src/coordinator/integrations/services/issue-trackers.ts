import type { Database } from '../../database/connect.js'
import { propertiesOf } from './integrations.js'
import { kindOfSlug } from './kinds.js'
import { Settings } from './settings.js'
import { activeIntegrations } from './store.js'

/** An issue of another service that a text names, and where. */
interface NamedIssue {
  start: number
  end: number
  url: string
}

/** A tracker outside of this instance. */
export interface IssueTracker {
  /** Name for people. */
  title: string
  /**
   * The issues that a text names, in their order. `hasOwn`: the project has issues of its own, to which `#12` belongs.
   * Linear in the length of the text.
   */
  issuesIn: (text: string, options: { hasOwn: boolean }) => NamedIssue[]
}

/** How texts name issues. The first group is the ID in the URL of the issue. */
interface Names {
  /** Beside issues of the project. */
  long: RegExp
  /** If the project has no issues of its own. */
  all: RegExp
}

/** `PROJ-12`, and `#12` if the project has no issues of its own. */
const KEYS: Names = {
  long: /\b([A-Z][A-Z0-9_]*-\d+)\b/g,
  all: /\b([A-Z][A-Z0-9_]*-\d+)\b|(?<![\w&])#(\d+)\b/g,
}
const JIRA_KEYS = /\b([A-Z][A-Z0-9_]+-\d+)\b/g
const WORK_ITEMS = /\b(?:bug|task|work item|workitem|rtcwi|defect) +(\d+)\b/gi
const CLICKUP_IDS = /(?<![\w&])(?:#|CU-)([a-z0-9]+)\b|\b([A-Z0-9_]{2,10}-\d+)\b/g
const CLICKUP_LONG = /\bCU-([a-z0-9]+)\b|\b([A-Z0-9_]{2,10}-\d+)\b/g

const NAMES: Readonly<Record<string, Names>> = {
  jira: { long: JIRA_KEYS, all: JIRA_KEYS },
  redmine: KEYS,
  bugzilla: KEYS,
  youtrack: KEYS,
  'custom-issue-tracker': KEYS,
  ewm: { long: WORK_ITEMS, all: WORK_ITEMS },
  clickup: { long: CLICKUP_LONG, all: CLICKUP_IDS },
}

/** Longer addresses would turn a small text into a large page. */
const MAX_URL_LENGTH = 2048

/** The tracker of the first active integration with one, by slug; undefined if the project has none. */
export async function issueTrackerOf(
  database: Database,
  projectId: number,
): Promise<IssueTracker | undefined> {
  for (const row of await activeIntegrations(database, projectId)) {
    const names = NAMES[row.slug]
    if (!names) continue
    const settings = new Settings(propertiesOf(row))
    const template = row.slug === 'jira' ? `${settings.base('url')}/browse/:id` : settings.text('issues_url')
    if (template.length > MAX_URL_LENGTH) continue
    const title = settings.text('title') || kindOfSlug(row.slug)?.title || row.slug
    return {
      title,
      issuesIn: (text, { hasOwn }) => issuesIn(text, hasOwn ? names.long : names.all, template),
    }
  }
  return undefined
}

function issuesIn(text: string, names: RegExp, template: string): NamedIssue[] {
  return Array.from(text.matchAll(names), ({ index, 0: name, 1: id, 2: other }) => ({
    start: index,
    end: index + name.length,
    url: template.replaceAll(':id', encodeURIComponent(id ?? other ?? '')),
  }))
}
