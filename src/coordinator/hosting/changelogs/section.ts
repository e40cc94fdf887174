import type { ChangelogConfig } from './read-config.js'
import { strftime } from './strftime.js'
import { renderChangelogTemplate, type TemplateValue } from './template/render-template.js'

/** A commit in a changelog. */
export interface Entry {
  /** Value of the trailer. */
  category: string
  /** What the template reads (API, E7). */
  data: TemplateValue
}

/** The section of a version. Categories of the configuration come first, in its order. */
export function sectionOf(
  config: ChangelogConfig,
  { version, date, entries }: { version: string; date: Date; entries: readonly Entry[] },
): string {
  const byTitle = new Map<string, TemplateValue[]>(
    [...config.categories.values()].map((title) => [title, []]),
  )
  for (const { category, data } of entries) {
    const title = config.categories.get(category) ?? category
    const some = byTitle.get(title)
    if (some) some.push(data)
    else byTitle.set(title, [data])
  }
  const categories = [...byTitle]
    .filter(([, some]) => some.length > 0)
    .map(([title, some]) => ({ title, count: some.length, single_change: some.length === 1, entries: some }))
  const body = renderChangelogTemplate(config.template, { categories }).trim()
  // Titles have a fixed form, by which later sections find their place.
  return `## ${version} (${strftime(config.dateFormat, date)})\n\n${body}\n`
}
