export const TEMPLATE_KINDS = ['gitignores', 'gitlab_ci_ymls', 'dockerfiles', 'licenses'] as const
export type TemplateKind = (typeof TEMPLATE_KINDS)[number]

/** Name of a file that `include: template` names: the key of a CI file and this ending. */
const CI_ENDING = '.gitlab-ci.yml'

/** A place with templates. An aborted `signal` ends a reading. */
export interface TemplateSource {
  /** Keys of the templates of a kind, with their folder (`Pages/Hugo`), in any order. */
  keys(kind: TemplateKind, signal: AbortSignal): Promise<string[]>
  /** Undefined if there is no template with this key. */
  read(kind: TemplateKind, key: string, signal: AbortSignal): Promise<string | undefined>
}

/** The templates of all sources. One of an earlier source has precedence over one of the same key in a later source. */
export class Templates implements TemplateSource {
  constructor(private readonly sources: readonly TemplateSource[]) {}

  /** These and the templates of other sources, which have precedence. */
  after(sources: readonly TemplateSource[]): Templates {
    return new Templates([...sources, ...this.sources])
  }

  /** In alphabetical order. */
  async keys(kind: TemplateKind, signal: AbortSignal): Promise<string[]> {
    const lists = await Promise.all(this.sources.map((source) => source.keys(kind, signal)))
    return [...new Set(lists.flat())].sort((one, other) => one.localeCompare(other, 'en'))
  }

  async read(kind: TemplateKind, key: string, signal: AbortSignal): Promise<string | undefined> {
    for (const source of this.sources) {
      const content = await source.read(kind, key, signal)
      if (content !== undefined) return content
    }
    return undefined
  }
}

/** Reads and lists CI files by the names that `include: template` has for them. */
export function includableTemplates(templates: TemplateSource): {
  readTemplate(name: string): Promise<string | undefined>
  listTemplates(): Promise<string[]>
} {
  const { signal } = new AbortController()
  return {
    readTemplate: async (name) =>
      name.endsWith(CI_ENDING)
        ? templates.read('gitlab_ci_ymls', name.slice(0, -CI_ENDING.length), signal)
        : undefined,
    listTemplates: async () =>
      (await templates.keys('gitlab_ci_ymls', signal)).map((key) => key + CI_ENDING).toSorted(),
  }
}
